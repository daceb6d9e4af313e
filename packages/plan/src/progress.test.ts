// How far a plan has come, and when it may be done.
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
  planEnded,
  pauseRequested,
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
} from "../test/facts.ts";
import type { PlanEvent } from "./events/plan-event.ts";
import { StepId } from "./ids.ts";
import { progressOf, withSubPlans } from "./progress.ts";
import { subPlanId } from "./sub-plan-work.ts";
import type { KnownPlan } from "./state/plan-state.ts";

const START_MS = Date.parse(AT);
const took = (stepId: string, durationMs: number) => {
  const event = succeeded(stepId);
  return { ...event, data: { ...event.data, durationMs } } as PlanEvent;
};
const etaMs = (plan: KnownPlan, afterMs = 0) => progressOf(plan, START_MS + afterMs).etaMs;
const four = submitted([step("a"), step("b"), step("c", ["b"]), step("d", ["c"])]);

describe("the percentage", () => {
  it("is that of the settled steps, rounded down, and 100 only at the end", () => {
    const three = submitted([step("a"), step("b"), step("c")]);
    expect(progressOf(after(three), 0)).toEqual({ done: 0, total: 3, percent: 0, etaMs: null });
    expect(progressOf(after(three, succeeded("a")), 0)).toMatchObject({ done: 1, percent: 33 });
    const settled = after(three, succeeded("a"), failed("b"), succeeded("c"));
    expect(progressOf(settled, 0)).toMatchObject({ done: 3, total: 3, percent: 99 });
    const ended = andAfter(settled, answerGiven(1), planEnded());
    expect(progressOf(ended, 0)).toEqual({ done: 3, total: 3, percent: 100, etaMs: 0 });
  });

  it("stands still while a draft is written, since nobody knows how much is to come", () => {
    const open = after(submitted(), draftStarted(), planned(step("a")), succeeded("a"));
    expect(progressOf(open, 0)).toEqual({ done: 1, total: 1, percent: 0, etaMs: null });
    expect(progressOf(andAfter(open, planned(step("b")), sealed()), 0)).toMatchObject({ percent: 50 });
  });

  it("counts the part that running sub-plans have done of their steps", () => {
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

  it("does not count the steps of an abandoned draft that have not ended", () => {
    const plan = after(submitted(), draftStarted(), planned(step("a")), planned(step("b")), succeeded("a"));
    expect(progressOf(andAfter(plan, abandoned()), 0)).toMatchObject({ done: 1, total: 1 });
  });
});

describe("the estimate", () => {
  it("is not made before a step has succeeded", () => {
    expect(etaMs(after(four))).toBeNull();
    expect(etaMs(after(four, failed("a")))).toBeNull();
  });

  it("is not made while a person is waited for, or while the plan is held", () => {
    const mail = step("mail", [], { tool: "mail.send", args: { to: "ann" } });
    const waiting = after(submitted([step("a"), mail], { approval: { risk: "high" } }), took("a", 400));
    expect(stepOf(waiting, "mail").state.status).toBe("awaiting-approval");
    expect(etaMs(waiting)).toBeNull();
    expect(etaMs(after(four, took("a", 400), pauseRequested()))).toBeNull();
  });

  it("is the longest chain of open steps, each taking the mean of those before", () => {
    expect(etaMs(after(four, took("a", 400)))).toBe(1_200);
    expect(etaMs(after(four, took("a", 400), took("b", 200)))).toBe(600);
  });

  it("takes the mean of the same tool where there is one", () => {
    const tools = submitted([
      step("a", [], { tool: "files.write" }),
      step("b"),
      step("c", ["a", "b"], { tool: "files.write" }),
      step("d", ["a", "b"]),
      step("e", ["c"], { tool: "mail.send" }),
    ]);
    expect(etaMs(after(tools, took("a", 1_000), took("b", 100)))).toBe(1_000 + 550);
  });

  it("deducts what a step has been running already, down to nothing", () => {
    const running = after(submitted([step("a"), step("b")]), took("a", 1_000), started("b"));
    expect(etaMs(running, 300)).toBe(700);
    expect(etaMs(running, 2_000)).toBe(0);
  });

  it("is not made while a step runs that takes far longer than those before", () => {
    const running = after(four, took("a", 1_000), started("b"));
    expect(etaMs(running, 2_000)).toBe(2_000);
    expect(etaMs(running, 2_001)).toBeNull();
  });

  it("does not grow when a worker's clock is ahead", () => {
    const running = after(submitted([step("a"), step("b")]), took("a", 1_000), started("b"));
    expect(etaMs(running, -60_000)).toBe(1_000);
  });
});

describe("a plan whose steps are tied", () => {
  const tied = submitted([
    step("a", [], { fallback: "b" }),
    step("check", [], { verifies: "a" }),
    step("b"),
    step("end", ["a"]),
  ]);

  it("counts what is passed over as done, and comes to 100", () => {
    const plan = recorded(after(tied, took("a", 10), took("check", 10)));
    expect(progressOf(plan, 0)).toMatchObject({ done: 3, total: 4, percent: 75 });
    const ended = andAfter(plan, succeeded("end"), answerGiven(undefined), planEnded());
    expect(progressOf(ended, 0)).toMatchObject({ done: 4, percent: 100 });
  });

  it("is expected to need no fallback before it does", () => {
    const steps = [
      step("s"),
      step("a", ["s"], { fallback: "b" }),
      step("check", [], { verifies: "a" }),
      step("b"),
      step("end", ["a"]),
    ];
    const plan = after(submitted(steps), took("s", 10));
    expect(etaMs(plan)).toBe(30);
    const delivered = andAfter(plan, took("a", 10));
    expect(etaMs(delivered)).toBe(20);
    expect(etaMs(andAfter(delivered, failed("check")))).toBe(20);
  });
});
