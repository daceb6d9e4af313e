// The dashboards that Compose gives Grafana: of one form, on sources that are there, and nothing over anything else.
// What they ask for is held against a running system in dashboard-trace.slow.e2e.test.ts.
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, it } from "vitest";
import { type Dashboard, grafanaDashboards } from "./support/grafana-dashboards.ts";

const COLUMNS = 24;
const dashboards = await grafanaDashboards();

it("exist for plans, steps, queues and models, each under a unique name", () => {
  expect(dashboards.map(({ uid }) => uid).sort()).toEqual([
    "planwright-model",
    "planwright-plans",
    "planwright-queues",
    "planwright-steps",
  ]);
});

describe.each(dashboards)("$title", ({ panels }) => {
  it("query the sources that Grafana has, each in its own language", () => {
    for (const { datasource, targets } of panels) {
      expect(datasource.uid).toBe(datasource.type);
      for (const target of targets) {
        expect(target.datasource).toEqual(datasource);
        expect(target[datasource.type === "tempo" ? "query" : "expr"]).toBeDefined();
        expect(faultsOfPromql(target.expr ?? ""), target.expr).toEqual([]);
        expect(isBalanced(target.query ?? "")).toBe(true);
      }
    }
  });

  it("has its panels beside each other", () => {
    const cells = panels.flatMap(cellsOf);
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos }) => gridPos.x + gridPos.w <= COLUMNS)).toBe(true);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

function cellsOf({ gridPos: { x, y, w, h } }: Dashboard["panels"][number]): number[] {
  return Array.from({ length: w * h }, (_, cell) => (y + Math.floor(cell / w)) * COLUMNS + x + (cell % w));
}

/** Grafana's variables, as it fills them in. */
const VARIABLES: Readonly<Record<string, string>> = { $__rate_interval: "1m", $__range: "1h" };

/** What Prometheus would not understand: the text around each place where its grammar does not hold. */
function faultsOfPromql(expr: string): string[] {
  const filled = expr.replace(/\$\w+/g, (name) => VARIABLES[name] ?? name);
  const faults: string[] = [];
  if (expr === "") return faults;
  parser.parse(filled).iterate({
    enter({ type, from, to }) {
      if (type.isError) faults.push(filled.slice(Math.max(0, from - 10), to + 10));
    },
  });
  return faults;
}

/** Whether every bracket that opens is closed, in order. */
function isBalanced(expr: string): boolean {
  const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
  const open: string[] = [];
  for (const character of expr.replace(/"[^"]*"/g, "")) {
    if ("([{".includes(character)) open.push(character);
    else if (character in pairs && open.pop() !== pairs[character]) return false;
  }
  return open.length === 0;
}
