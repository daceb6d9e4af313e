import { expect, it } from "vitest";
import { resultOf, lineOf, Result } from "./result.ts";
import { plotOf, number, summaryTables } from "./write-report.ts";
import type { RunReading, Workload } from "../workloads/index.ts";

const workload: Workload = {
  name: "W0",
  title: "a workload",
  warmUp: "none",
  stepsPerPlan: 5,
  metrics: {
    stepMs: { label: "time per step", unit: "ms", better: "lower", target: 0.7 },
    floorMs: { label: "floor <bare>", unit: "ms", better: "lower" },
  },
  floors: ["floorMs"],
  measure: async function* () {},
};
const readings: RunReading[] = [0.9, 0.5, 0.6].map((stepMs) => ({
  values: { stepMs, floorMs: 0.3 },
  samples: { stepMs: [stepMs, stepMs] },
  cpuMsPerStep: { planner: stepMs / 10 },
  foreignCores: 0.25,
}));
const about = {
  at: "2026-01-01T00:00:00.000Z",
  load: [0.5, 1] as [number, number],
  machine: {
    cores: 2,
    processor: "p",
    memoryGib: 8,
    platform: "linux x64",
    node: "26.10.0",
    natsServer: "2.15.1",
  },
};
const result = resultOf(workload, readings, about);

it("reports the median, minimum and maximum of the runs, and keeps every sample", () => {
  expect(result.metrics[0]).toMatchObject({ median: 0.6, min: 0.5, max: 0.9, runs: [0.9, 0.5, 0.6] });
  expect(result.samples).toHaveLength(3);
  expect(result.cpuMsPerStep).toEqual({ planner: 0.06 });
});

it("prints one line of JSON without the raw samples", () => {
  const line = lineOf(result);
  expect(line).not.toContain("\n");
  expect(Result.parse(JSON.parse(line))).toEqual(JSON.parse(line));
  expect(JSON.parse(line)).not.toHaveProperty("samples");
});

it("shows in the table whether the target is met, the distance to the floor, and how busy the machine was", () => {
  const [headline] = summaryTables([result]).split("\n").slice(2);
  expect(headline).toBe(
    "| W0 | **0.3** ms | time per step **0.6** ms (0.5 to 0.9) | ≤ 0.7 ms: met | floor <bare> 0.3 ms (× 2) | 0.06 ms | 0.5 to 1 on 2 cores; others kept 0.25 cores busy |",
  );
});

it("inverts the ratio where higher is better", () => {
  const throughput = resultOf(
    {
      ...workload,
      metrics: {
        perS: { label: "plans", unit: "1/s", better: "higher", target: 2_000 },
        floorPerS: { label: "floor", unit: "1/s", better: "higher" },
      },
      floors: ["floorPerS"],
    },
    [{ values: { perS: 1_000, floorPerS: 4_000 } }],
    about,
  );
  expect(summaryTables([throughput])).toContain("| ≥ 2,000/s: not met | floor 4,000/s (× 4) |");
});

it("shows the metrics that have a target if the headline has none", () => {
  const metrics: Workload["metrics"] = {
    answerS: { label: "answer", unit: "s", better: "lower" },
    floorS: { label: "floor", unit: "s", better: "lower" },
    overFloor: { label: "over the floor", unit: "", better: "lower", target: 1.03 },
  };
  const values = { answerS: 4.4, floorS: 4, overFloor: 1.1 };
  const ratio = resultOf({ ...workload, metrics, floors: ["floorS"] }, [{ values }], about);
  expect(summaryTables([ratio])).toContain(
    "| answer **4.4** s (4.4 to 4.4) | over the floor **1.1** ≤ 1.03: not met | floor 4 s (× 1.1) |",
  );
});

it("refuses a run that lacks one of its metrics", () => {
  expect(() => resultOf(workload, [{ values: { stepMs: 1 } }], about)).toThrow("a run has no floorMs");
});

it("draws a bar for our result, the target and the floor, and escapes its texts", () => {
  const svg = plotOf([result]);
  expect(svg.match(/<rect [^>]*fill="#(2563eb|94a3b8|0f766e)"/g)).toHaveLength(3);
  expect(svg).toContain("floor &lt;bare&gt;");
  expect(svg).not.toContain("NaN");
});

it.each([
  [0.123456, "0.123"],
  [12.3456, "12.3"],
  [1.0042, "1.004"],
  [0.99964, "1"],
  [1234.5, "1,235"],
  [0, "0"],
])("writes %d as %s", (value, text) => {
  expect(number(value)).toBe(text);
});
