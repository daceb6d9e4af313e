/** The dashboards that Compose gives Grafana, as far as they are ours to get wrong. */
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const FOLDER = path.resolve(import.meta.dirname, "../../deploy/grafana/dashboards");

const Source = z.object({ type: z.enum(["prometheus", "tempo"]), uid: z.string() });
const Target = z.object({
  refId: z.string().regex(/^[A-Z]$/),
  datasource: Source,
  /** Of Prometheus. */
  expr: z.string().min(1).optional(),
  /** Of Tempo. */
  query: z.string().min(1).optional(),
});
const Panel = z.object({
  id: z.int().positive(),
  type: z.enum(["stat", "timeseries", "table"]),
  title: z.string().min(1),
  gridPos: z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) }),
  datasource: Source,
  targets: z.array(Target).min(1),
});
const Dashboard = z.object({
  uid: z.string().regex(/^planwright-\w{1,30}$/),
  title: z.string().min(1),
  schemaVersion: z.int(),
  panels: z.array(Panel).min(1),
});
export type Dashboard = z.output<typeof Dashboard>;

/** @throws {z.ZodError} When one of them is none. */
export async function grafanaDashboards(): Promise<Dashboard[]> {
  const dashboards: Dashboard[] = [];
  for await (const file of glob("*.json", { cwd: FOLDER })) {
    dashboards.push(Dashboard.parse(JSON.parse(await readFile(path.join(FOLDER, file), "utf8"))));
  }
  return dashboards;
}

/** What a dashboard asks Prometheus for: each metric with the labels that it is selected or added up by. */
export function askedMetrics({ panels }: Dashboard): { name: string; labels: string[]; expr: string }[] {
  const exprs = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr ?? []));
  return exprs.flatMap((expr) => {
    const grouped = Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, list = ""]) => list.split(",")).flat();
    return Array.from(
      expr.matchAll(/((?:planwright|gen_ai_client)_\w+)(?:\{([^}]*)\})?/g),
      ([, name = "", selector = ""]) => {
        const selected = Array.from(selector.matchAll(/(\w+)\s*[=!]/g), ([, label = ""]) => label);
        return { name, expr, labels: [...grouped.map((label) => label.trim()), ...selected] };
      },
    );
  });
}
