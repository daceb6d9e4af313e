import { describe, expect, it } from "vitest";
import { after, failed, step, submittedPlan, succeeded, USAGE } from "../../../test/facts.ts";
import { mergeRuns, runTold, type StepRuns } from "./estimate-run.ts";

const plan = after(submittedPlan({ steps: [step("a", [], { tool: "model.write", model: "small" })] }));

describe("the runs of a kind of step", () => {
  it("include only steps that succeeded by themselves, each with its metrics", () => {
    expect(runTold(plan, succeeded("a", 1, 1, { durationMs: 7, usage: USAGE }))).toEqual({
      kind: { tool: "model.write", agent: "", model: "small" },
      run: { runs: 1, durationMs: 7, inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
    });
    expect(runTold(plan, succeeded("a"))?.run).toMatchObject({ inputTokens: 0, costUsd: 0 });
    for (const event of [
      failed("a"),
      succeeded("other"),
      succeeded("a", 1, 1, { undo: true }),
      succeeded("a", 1, 1, { reused: true }),
    ])
      expect(runTold(plan, event)).toBeUndefined();
  });

  it("yield the mean of all while they are few", () => {
    const first: StepRuns = { runs: 3, durationMs: 100, inputTokens: 30, outputTokens: 3, costUsd: 0.3 };
    const second: StepRuns = { runs: 1, durationMs: 500, inputTokens: 70, outputTokens: 7, costUsd: 0.7 };
    const both = mergeRuns(first, second);
    expect(both).toMatchObject({ runs: 4, durationMs: 200, inputTokens: 40, outputTokens: 4 });
    expect(both.costUsd).toBeCloseTo(0.4);
  });

  it("favour the newest, however many there were before", () => {
    const slow = { runs: 1, durationMs: 1_000, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    let runs: StepRuns = { ...slow, runs: 1_000_000, durationMs: 0 };
    for (let run = 0; run < 500; run++) runs = mergeRuns(runs, slow);
    expect(runs.runs).toBe(1_000_500);
    expect(runs.durationMs).toBeGreaterThan(990);
  });

  it("have the currently known price, or none", () => {
    const priced = { runs: 1, durationMs: 1, inputTokens: 1, outputTokens: 1, costUsd: 1 };
    const unpriced = { ...priced, costUsd: null };
    expect(mergeRuns(unpriced, priced).costUsd).toBe(1);
    expect(mergeRuns(priced, unpriced).costUsd).toBeNull();
  });
});
