import { METRICS_TOOLS_MAX } from "@planwright/api";
import type { ToolTally } from "@planwright/plan";
import { expect, it } from "vitest";
import { ToolSum } from "./metrics-groups.ts";

const tally = (tool: string, more: Partial<ToolTally>): ToolTally => ({
  tool,
  steps: 1,
  failed: 0,
  retries: 0,
  durationMs: 0,
  longestMs: 0,
  ...more,
});
const sumOf = (tallies: readonly ToolTally[]) => {
  const sum = new ToolSum();
  sum.add(tallies);
  return sum.result();
};

it("adds up the plans of a tool, with the mean and the longest duration of its steps", () => {
  const plans = [
    tally("web.search", { steps: 3, failed: 1, retries: 2, durationMs: 300, longestMs: 200 }),
    tally("web.search", { steps: 1, durationMs: 500, longestMs: 500 }),
  ];
  expect(sumOf(plans)).toEqual([
    {
      tool: "web.search",
      steps: 4,
      failed: 1,
      failureRate: 0.25,
      retries: 2,
      durationMs: { mean: 200, max: 500 },
    },
  ]);
});

it("lists the tools with the most failed steps first, and limits their number", () => {
  const many = Array.from({ length: METRICS_TOOLS_MAX + 5 }, (_, index) => tally(`t${index}`, {}));
  const tools = sumOf([...many, tally("busy", { steps: 9 }), tally("broken", { failed: 1 })]);
  expect(tools.slice(0, 2).map(({ tool }) => tool)).toEqual(["broken", "busy"]);
  expect(tools).toHaveLength(METRICS_TOOLS_MAX);
});
