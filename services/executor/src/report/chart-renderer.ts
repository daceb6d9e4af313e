/** Draws Vega-Lite charts as SVG in a child process, so that a malicious chart cannot block this one. */
import { z } from "zod";
import { type IsolationOptions, startIsolatedChild } from "../child-pool/isolated-child.ts";

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
  /** @throws {PermanentError} `invalid_chart` naming the invalid field of the spec, `deadline_exceeded`, `out_of_memory`. */
  render(chart: ChartRequest, options: { readonly signal: AbortSignal }): Promise<Chart>;
};

/** @param options.deadlineMs - Time limit for one chart; 20 seconds by default. */
export function createChartRenderer(options: IsolationOptions = {}): ChartRenderer {
  const entry = new URL("./chart-child/chart-child.ts", import.meta.url);
  const settings = { entry, reply: Chart, memoryMb: MEMORY_MB, deadlineMs: DEADLINE_MS, ...options };
  const child = startIsolatedChild(settings);
  return { render: child.call, [Symbol.dispose]: () => child[Symbol.dispose]() };
}
