// A plan's progress, and when it is expected to finish.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  AT,
  after,
  andAfter,
  answerGiven,
  draftStarted,
  fact,
  failed,
  faltered,
  planEnded,
  pauseRequested,
  READ,
  planned,
  recorded,
  revised,
  revisionRequested,
  sealed,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { StepId } from "../values/ids.ts";
import { kindKey, kindOf, type StepRuns } from "./estimate/estimate-run.ts";
import { type KnownTimes, progressOf, withSubPlans } from "./progress.ts";
import { subPlanId } from "../decide/sub-plan-work.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

const START_MS = Date.parse(AT);
const took = (stepId: string, durationMs: number) => {
  const event = succeeded(stepId);
  return { ...event, data: { ...event.data, durationMs } } as PlanEvent;
};
const etaMs = (plan: KnownPlan, afterMs = 0, known: KnownTimes = {}) =>
  progressOf(plan, START_MS + afterMs, known).etaMs;
const runs = (tool: string, count: number, durationMs: number): ReadonlyMap<string, StepRuns> =>
  new Map([[kindKey(kindOf({ tool })), { ...NO_RUNS, runs: count, durationMs }]]);
const NO_RUNS = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const four = submitted([step("a"), step("b"), step("c", ["b"]), step("d", ["c"])]);

describe("the percentage", () => {
  it("is the share of settled steps, rounded down, and 100 only at the end", () => {
    const three = submitted([step("a"), step("b"), step("c")]);
    expect(progressOf(after(three), 0)).toEqual({ done: 0, total: 3, percent: 0, etaMs: null });
    expect(progressOf(after(three, succeeded("a")), 0)).toMatchObject({ done: 1, percent: 33 });
    const settled = after(three, succeeded("a"), failed("b"), succeeded("c"));
    expect(progressOf(settled, 0)).toMatchObject({ done: 3, total: 3, percent: 99 });
    const ended = andAfter(settled, answerGiven(1), planEnded());
    expect(progressOf(ended, 0)).toEqual({ done: 3, total: 3, percent: 100, etaMs: 0 });
  });

  it("does not advance while a draft is written, because the number of steps is unknown", () => {
    const open = after(submitted(), draftStarted(), planned(step("a")), succeeded("a"));
    expect(progressOf(open, 0)).toEqual({ done: 1, total: 1, percent: 0, etaMs: null });
    expect(progressOf(andAfter(open, planned(step("b")), sealed()), 0)).toMatchObject({ percent: 50 });
  });

  it("counts the completed part of running sub-plans", () => {
    const run = (id: string) => step(id, [], { tool: "plan.run", args: { goal: id } });
    const subPlan = (stepId: string) =>
      subPlanId(after(submitted()).planId, { stepId: StepId.parse(stepId), item: 0, attempt: 1 });
    const begun = (stepId: string) =>
      fact("step.started", { stepId, item: 0, attempt: 1, workerId: "planner", subPlan: subPlan(stepId) });
    const plan = after(submitted([run("a"), run("b"), step("c")]), begun("a"), begun("b"));
    const percentWith = (one: KnownPlan, percents: Record<string, number>) =>
      withSubPlans(progressOf(one, 0), one, (id) => percents[id]).percent;
    expect(percentWith(plan, {})).toBe(0);
    expect(percentWith(plan, { [subPlan("a")]: 50 })).toBe(16);
    expect(percentWith(plan, { [subPlan("a")]: 100, [subPlan("b")]: 100 })).toBe(66);
    const more = andAfter(plan, succeeded("c"));
    expect(percentWith(more, { [subPlan("a")]: 100, [subPlan("b")]: 100 })).toBe(99);
    const drafted = after(submitted(), draftStarted(), planned(run("a")), begun("a"));
    expect(percentWith(drafted, { [subPlan("a")]: 50 })).toBe(0);
  });

  it("does not fall when a revision adds steps", () => {
    const judged = after(
      submitted([step("a"), step("b")]),
      succeeded("a"),
      succeeded("b"),
      revisionRequested(1),
    );
    const more = andAfter(judged, draftStarted(1), planned(step("c")), planned(step("d")), revised(1));
    expect(progressOf(more, 0)).toMatchObject({ done: 2, total: 4, percent: 99 });
  });

  it("does not count the unfinished steps of an abandoned draft", () => {
    const plan = after(submitted(), draftStarted(), planned(step("a")), planned(step("b")), succeeded("a"));
    expect(progressOf(andAfter(plan, abandoned()), 0)).toMatchObject({ done: 1, total: 1 });
  });
});

describe("the estimate", () => {
  it("is missing while too little is known about an open step", () => {
    expect(etaMs(after(four))).toBeNull();
    expect(etaMs(after(four, took("a", 400), took("b", 400)))).toBeNull();
    expect(etaMs(after(four, took("a", 400), took("b", 400), took("c", 400)))).toBe(400);
  });

  it("uses the mean of three earlier runs of the same kind, in other plans too", () => {
    const known = { past: runs("flow.echo", 3, 400) };
    expect(etaMs(after(four), 0, known)).toBe(1_200);
    expect(etaMs(after(four), 0, { past: runs("flow.echo", 2, 400) })).toBeNull();
    expect(etaMs(after(four, took("a", 100)), 0, { past: runs("flow.echo", 2, 400) })).toBe(900);
    const small = submitted([step("a", [], { model: "small" })]);
    expect(etaMs(after(small), 0, known)).toBeNull();
  });

  it("uses the stated duration of waits, also if an output or an item states it", () => {
    const grants = { "flow.echo": READ, "flow.wait": { ...READ, timeoutMs: 60_000 } };
    const waits = [
      step("a", [], { tool: "flow.wait", args: { ms: 3_000 } }),
      step("b", ["a"], { tool: "flow.wait", args: { ms: { $ref: "item" } }, forEach: [500, 2_000] }),
    ];
    expect(etaMs(after(submitted(waits, { grants })))).toBe(5_000);
    const later = [step("s"), step("a", [], { tool: "flow.wait", args: { ms: { $ref: "s.output" } } })];
    const plan = after(submitted(later, { grants }), succeeded("s", 4_000));
    expect(etaMs(plan)).toBe(4_000);
    expect(etaMs(andAfter(plan, started("a")), 1_500)).toBe(2_500);
  });

  it("includes the plan's start time and pending retries", () => {
    const known = { past: runs("flow.echo", 3, 400) };
    const startAt = new Date(START_MS + 10_000).toISOString();
    expect(etaMs(after(submitted([step("a")], { startAt })), 4_000, known)).toBe(6_400);
    const retrying = after(submitted([step("a")]), faltered("a"));
    const retryAt = Date.parse(stepOf(retrying, "a").failedAttempts[0]?.retryAt ?? "");
    expect(etaMs(retrying, 0, known)).toBe(retryAt - START_MS + 400);
  });

  it("runs as many steps simultaneously as the workers have slots for", () => {
    const known = { past: runs("flow.echo", 3, 400) };
    const three = after(submitted([step("a"), step("b"), step("c")]));
    expect(etaMs(three, 0, { ...known, slots: new Map([["default", 2]]) })).toBe(800);
    expect(etaMs(three, 0, { ...known, slots: new Map([["other", 1]]) })).toBeNull();
    expect(etaMs(three, 0, { ...known, slots: new Map() })).toBe(400);
  });

  it("starts the step with the longest remaining path first if slots are scarce", () => {
    const known = { past: runs("flow.echo", 3, 400), slots: new Map([["default", 2]]) };
    const plan = after(submitted([step("a"), step("b"), step("c"), step("d", ["c"])]));
    // In the order in which they become ready, "d" would start when "c" has ended, after 800.
    expect(etaMs(plan, 0, known)).toBe(800);
  });

  it("uses a running sub-plan's own estimate", () => {
    const plan = after(submitted([step("a", [], { tool: "plan.run", args: { goal: "g" } })]));
    const child = subPlanId(plan.planId, { stepId: StepId.parse("a"), item: 0, attempt: 1 });
    const running = andAfter(plan, started("a", 1, { subPlan: child }));
    expect(etaMs(running)).toBeNull();
    expect(etaMs(running, 0, { subPlanMs: (id) => (id === child ? 7_000 : undefined) })).toBe(7_000);
  });

  it("is missing while the plan waits for a person or a review, or is held", () => {
    const known = { past: new Map([...runs("flow.echo", 3, 400), ...runs("mail.send", 3, 400)]) };
    const mail = step("mail", ["a"], { tool: "mail.send", args: { to: "ann" } });
    const asking = after(submitted([step("a"), mail], { approval: { risk: "high" } }));
    expect(etaMs(asking, 0, known)).toBeNull();
    expect(etaMs(after(submitted([step("a"), mail])), 0, known)).toBe(800);
    const reviewed = submitted([step("a", [], { review: { maxIterations: 1, onMiss: "keep" } })]);
    expect(etaMs(after(reviewed), 0, known)).toBeNull();
    expect(etaMs(after(four, pauseRequested()), 0, known)).toBeNull();
  });

  it("deducts the time that a step has been running, and is dropped when it takes far longer", () => {
    const known = { past: runs("flow.echo", 3, 1_000) };
    const running = after(submitted([step("b")]), started("b"));
    expect(etaMs(running, 300, known)).toBe(700);
    expect(etaMs(running, 1_500, known)).toBe(0);
    expect(etaMs(running, 1_501, known)).toBeNull();
    // A worker's clock may be ahead.
    expect(etaMs(running, -60_000, known)).toBe(1_000);
  });
});

describe("a plan with fallbacks and verifications", () => {
  const tied = submitted([
    step("a", [], { fallback: "b" }),
    step("check", [], { verifies: "a" }),
    step("b"),
    step("end", ["a"]),
  ]);

  it("counts skipped steps as done, and reaches 100", () => {
    const plan = recorded(after(tied, took("a", 10), took("check", 10)));
    expect(progressOf(plan, 0)).toMatchObject({ done: 3, total: 4, percent: 75 });
    const ended = andAfter(plan, succeeded("end"), answerGiven(undefined), planEnded());
    expect(progressOf(ended, 0)).toMatchObject({ done: 4, percent: 100 });
  });

  it("is not expected to need a fallback until it does", () => {
    const steps = [
      step("s"),
      step("a", ["s"], { fallback: "b" }),
      step("check", [], { verifies: "a" }),
      step("b"),
      step("end", ["a"]),
    ];
    const known = { past: runs("flow.echo", 3, 10) };
    const plan = after(submitted(steps), took("s", 10));
    expect(etaMs(plan, 0, known)).toBe(30);
    const delivered = andAfter(plan, took("a", 10));
    expect(etaMs(delivered, 0, known)).toBe(20);
    expect(etaMs(andAfter(delivered, failed("check")), 0, known)).toBe(20);
  });
});
