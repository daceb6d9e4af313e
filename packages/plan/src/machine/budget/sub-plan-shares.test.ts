// What a sub-plan gets of its parent's budget, limit by limit, and what it reports to its parent when it ends.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  deadlineFired,
  decideNext,
  fact,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import { StepId } from "../../values/ids.ts";
import type { KnownPlan } from "../plan-state.ts";
import { subPlanId } from "../../decide/sub-plan-work.ts";

const run = (id: string, more: object = {}) =>
  step(id, [], { tool: "plan.run", args: { goal: id }, ...more });
const begun = (id: string) => {
  const name = { stepId: StepId.parse(id), item: 0, attempt: 1 };
  const subPlan = subPlanId(after(submitted()).planId, name);
  return fact("step.started", { ...name, workerId: "planner", subPlan });
};
const submissionsOf = (plan: KnownPlan) =>
  decideNext(plan).flatMap((command) => (command.kind === "sub-plan" ? [command.submission] : []));
const shareOf = (budget: object) =>
  submissionsOf(after(submitted([run("a")], { budget: { onExhausted: "end", ...budget } }), begun("a")))[0]
    ?.data.budget;

describe("the share of a sub-plan", () => {
  it("covers the limits on steps, tokens and dollars that its parent has, and no others", () => {
    expect(shareOf({ steps: 7 })).toEqual({ steps: 7, onExhausted: "end" });
    expect(shareOf({ tokens: 1_000_000 })).toEqual({ tokens: 934_464, onExhausted: "end" });
    expect(shareOf({ seconds: 60 })).toBeUndefined();
  });

  it("leaves out the price of a synthesis when it is in dollars", () => {
    expect(shareOf({ usd: 10, usdPerToken: { input: 0.00001, output: 0.00001 } })).toEqual({
      usd: 9.34464,
      usdPerToken: { input: 0.00001, output: 0.00001 },
      onExhausted: "end",
    });
    // The cost of a synthesis is unknown, so half is reserved for it.
    expect(shareOf({ usd: 10 })).toMatchObject({ usd: 5 });
  });

  it("makes a step wait while too few dollars are left for a sub-plan", () => {
    const budget = { usd: 1.5, usdPerToken: { input: 0.00001, output: 0.00001 }, onExhausted: "end" };
    const plan = after(submitted([run("a"), run("b")], { budget }));
    expect(stepOf(plan, "b").state).toMatchObject({ status: "waiting", for: "budget" });
    const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0.1 };
    const next = andAfter(plan, begun("a"), succeeded("a", "x", 1, { usage }));
    expect(stepOf(next, "b").state.status).toBe("running");
  });
});

it("gives a sub-plan its parent's goal when the step names no other", () => {
  const bare = submissionsOf(after(submitted([run("a")]), begun("a")));
  expect(bare).toMatchObject([{ data: { goal: "Step a of: add up" } }]);
  const told = submissionsOf(after(submitted([run("b", { description: "Look into b." })]), begun("b")));
  expect(told).toMatchObject([{ data: { goal: "Look into b." } }]);
});

describe("the end of a sub-plan", () => {
  const parent = { planId: "p0", stepId: "a", item: 0, attempt: 1, depth: 1 };
  const outcomeOf = (plan: KnownPlan) => {
    const [command] = decide(plan, [{ kind: "end" }]);
    return command?.kind === "record" ? command.before?.data : undefined;
  };

  it("reports the data of its answer", () => {
    const plan = after(
      submitted([step("s")], { parent }),
      succeeded("s", "42"),
      answerGiven(undefined, { data: { n: 42 } }),
    );
    expect(outcomeOf(plan)).toMatchObject({ output: { value: { status: "success", data: { n: 42 } } } });
  });

  it("reports what lost workers may have used, so that its parent counts it too", () => {
    const write = step("s", [], { tool: "model.write", retry: { maxAttempts: 1 } });
    const budget = { tokens: 10_000, onExhausted: "end" };
    const lost = after(submitted([write], { parent, budget, maxReplans: 0 }), started("s"), deadlineFired());
    expect(lost.budget?.forfeited.tokens).toBeGreaterThan(0);
    const ended = lost.conclusion === undefined ? andAfter(lost, answerGiven(1, { status: "failed" })) : lost;
    expect(outcomeOf(ended)).toMatchObject({ forfeited: { tokens: lost.budget?.forfeited.tokens, usd: 0 } });
  });
});
