/** Draws Vega-Lite charts as SVG, in a child process that a chart made to be expensive cannot block. */
import { z } from "zod";
import { CODE_PATHS } from "../child-pool/code-paths.ts";
import { createChildPool } from "../child-pool/create-child-pool.ts";
import type { Wall } from "../wall/wall.ts";

const DEADLINE_MS = 20_000;
const MEMORY_MB = 512;

export const ChartRequest = z.object({
  spec: z.record(z.string(), z.unknown()),
  /** Replaces the spec's own data. */
  data: z.array(z.record(z.string(), z.unknown())).optional(),
});
export type ChartRequest = z.infer<typeof ChartRequest>;

export const Chart = z.object({ svg: z.string(), warnings: z.array(z.string()) });
export type Chart = z.infer<typeof Chart>;

export type ChartRenderer = Disposable & {
  /**
   * @throws {PermanentError} `invalid_chart` naming the field of the spec, `deadline_exceeded`,
   *   `out_of_memory`.
   */
  render(chart: ChartRequest, options: { readonly signal: AbortSignal }): Promise<Chart>;
};

/** @param deadlineMs - How long one chart may take; 20 seconds when absent. */
export function createChartRenderer({
  deadlineMs = DEADLINE_MS,
  wall,
}: {
  readonly deadlineMs?: number;
  readonly wall?: Wall | undefined;
} = {}): ChartRenderer {
  const pool = createChildPool({
    entry: new URL("./chart-child/chart-child.ts", import.meta.url),
    readablePaths: CODE_PATHS,
    memoryMb: MEMORY_MB,
    wall,
    size: 1,
  });
  return {
    render: async (chart, { signal }) =>
      Chart.parse(await pool.call(chart, { signal, timeoutMs: deadlineMs })),
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  };
}
