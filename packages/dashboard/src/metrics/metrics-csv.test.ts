import { expect, it } from "vitest";
import { figuresWith } from "../../test/support/figures-with.ts";
import { periodsCsv, toolsCsv } from "./metrics-csv.ts";

it("has a line for each period, with empty cells where the denominator is zero", () => {
  const from = "2026-01-31T10:00:00.000Z";
  const to = "2026-01-31T11:00:00.000Z";
  const [head = "", line = "", ...rest] = periodsCsv({
    byPeriod: [{ ...figuresWith({ plans: 3, succeeded: 1, failed: 2, successRate: 1 / 3 }), from, to }],
  }).split("\r\n");
  const cells = Object.fromEntries(head.split(",").map((name, index) => [name, line.split(",")[index]]));
  expect(cells).toMatchObject({ from, to, plans: "3", failed: "2", successRate: String(1 / 3), p50Ms: "" });
  expect(rest).toEqual([""]);
});

it("has a line for each tool, and escapes names that a spreadsheet would run", () => {
  const durationMs = { mean: 12.5, max: 40 };
  const byTool = [{ tool: "=cmd,x", steps: 4, failed: 1, failureRate: 0.25, retries: 2, durationMs }];
  expect(toolsCsv({ byTool })).toBe(
    `tool,steps,failed,failureRate,retries,meanMs,maxMs\r\n"'=cmd,x",4,1,0.25,2,12.5,40\r\n`,
  );
});
