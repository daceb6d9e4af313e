// Each metric below was counted by hand from the events above it.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerGiven,
  approvalDecided,
  approvalRequested,
  cancelRequested,
  draftStarted,
  fact,
  failed,
  faltered,
  nodesValued,
  planEnded,
  planned,
  revised,
  revisionRequested,
  sealed,
  step,
  submitted,
  submittedPlan,
  succeeded,
  timerFired,
  USAGE,
  WRITER,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { figuresOf, PlanFigures, tallyOf } from "./plan-figures.ts";

/** The same event, some seconds after the plan was submitted. */
const later = (seconds: number, event: PlanEvent): PlanEvent => ({
  ...event,
  at: new Date(Date.parse("2026-01-01T00:00:00Z") + seconds * 1_000).toISOString(),
});
const ended = (plan: KnownPlan, outcome = "succeeded"): PlanFigures => {
  const figures = figuresOf(andAfter(plan, later(9, planEnded(outcome))));
  return PlanFigures.parse(figures);
};
const writer = (id: string, dependsOn: string[] = []) => step(id, dependsOn, { tool: "model.write" });

describe("the outcome in the metrics", () => {
  const refused = (status: string) =>
    after(
      submittedPlan({ steps: [step("a")] }),
      succeeded("a", { text: "Not here.", status }),
      answerGiven(undefined, { status }),
    );

  it.each(["unsupported_intent", "invalid_request"])("is refused when the answer is %s", (status) => {
    expect(ended(refused(status))).toMatchObject({ outcome: "refused" });
  });

  it.each(["no_match", "insufficient_stock", "success"])("is succeeded when the answer is %s", (status) => {
    expect(ended(refused(status))).toMatchObject({ outcome: "succeeded" });
  });

  it("is the plan's own outcome if it did not succeed, whatever its answer", () => {
    expect(ended(refused("unsupported_intent"), "cancelled")).toMatchObject({ outcome: "cancelled" });
  });
});

describe("the metrics of a plan", () => {
  it("exist only once it has ended", () => {
    const plan = after(submittedPlan({ steps: [step("a")] }), succeeded("a"), answerGiven(undefined));
    expect(figuresOf(plan)).toBeUndefined();
    expect(ended(plan)).toEqual({
      strategy: "submitted",
      outcome: "succeeded",
      durationMs: 9_000,
      planningMs: null,
      isFork: false,
      steps: 1,
      stepsFailed: 0,
      replans: 0,
      decisions: 0,
      planEdits: 0,
      argumentEdits: 0,
      mutationsIdempotent: 0,
      mutationsOnce: 0,
      toolCalls: 1,
      toolCallsMin: 1,
      tools: [{ tool: "flow.echo", steps: 1, failed: 0, retries: 0, durationMs: 5, longestMs: 5 }],
      // The plan named its answer, so no model was called for it.
      modelCalls: 0,
      modelCallsMin: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      ratings: 0,
    });
  });

  it("count work that was planned in vain, next to the work that the plan needed", () => {
    const plan = after(
      submitted(),
      draftStarted(1),
      planned(step("x")),
      abandoned(1),
      draftStarted(2),
      planned(writer("a"), { draft: 2, grant: WRITER }),
      planned(step("b"), { draft: 2, index: 1 }),
      planned(step("c"), { draft: 2, index: 2 }),
      later(3, sealed(2)),
      succeeded("a"),
      faltered("b"),
      timerFired("retry-b-0-2"),
      succeeded("b", 1, 2),
      failed("c"),
      revisionRequested(1),
      draftStarted(3, "sequential"),
      planned(step("d"), { draft: 3 }),
      later(6, revised(3, { added: ["d"], dropped: ["c"], kept: ["a", "b"] })),
      succeeded("d"),
      answerGiven(2),
    );
    expect(ended(plan)).toMatchObject({
      strategy: "parallel",
      planningMs: 3_000,
      replans: 1,
      steps: 4,
      stepsFailed: 1,
      // a, b twice, c, d; without the retry and the dropped step: a, b, d.
      toolCalls: 5,
      toolCallsMin: 3,
      // Three drafts and two joins reported usage; a draft, the step that writes, and a join were needed.
      modelCalls: 5,
      modelCallsMin: 3,
      inputTokens: 50,
      outputTokens: 10,
      costUsd: 2.5,
    });
  });

  it.each([
    { strategy: "auto", drafts: [], counted: "undecided" },
    { strategy: "waves", drafts: [], counted: "waves" },
    { strategy: "auto", drafts: [draftStarted(1, "direct")], counted: "direct" },
    { strategy: "hierarchical", drafts: [draftStarted(1, "parallel")], counted: "parallel" },
  ])("count under $counted if the plan's strategy was to be $strategy", ({ strategy, drafts, counted }) => {
    const plan = after(submitted(undefined, { strategy }), ...drafts, cancelRequested());
    expect(ended(plan, "cancelled")).toMatchObject({
      strategy: counted,
      outcome: "cancelled",
      planningMs: null,
    });
  });

  it("need neither draft nor synthesis for a plan that its router turned into one call", () => {
    const plan = after(
      submitted(),
      draftStarted(1, "direct"),
      planned(writer("a"), { grant: WRITER }),
      sealed(1, { answerFrom: "a", usage: { ...USAGE, modelCalls: 0 } }),
      succeeded("a", 1, 1, { usage: USAGE }),
      answerGiven(undefined),
    );
    expect(ended(plan)).toMatchObject({ strategy: "direct", modelCalls: 1, modelCallsMin: 1 });
  });

  it("count under the name of the strategy that submitted the plan, and mark a fork as one", () => {
    const steps = [step("a")];
    expect(ended(after(submitted(steps, { strategy: "sequential" }), cancelRequested())).strategy).toBe(
      "sequential",
    );
    const fork = { planId: "p0", fromStep: "a", seq: 3 };
    const carried = [{ step: step("z"), grant: WRITER, output: { value: 1 } }];
    const plan = after(submitted(steps, { fork, carried }), succeeded("a"));
    expect(ended(plan)).toMatchObject({ isFork: true, steps: 1, toolCalls: 1, toolCallsMin: 1 });
  });

  it("include no planning time for a predefined plan, even if it was revised", () => {
    const plan = after(
      submitted([step("a"), step("b")]),
      succeeded("a"),
      succeeded("b"),
      revisionRequested(1),
      draftStarted(1),
      planned(step("c")),
      later(2, revised(1, { added: ["c"] })),
    );
    expect(ended(andAfter(plan, cancelRequested()))).toMatchObject({
      planningMs: null,
      replans: 1,
      modelCallsMin: 1,
    });
  });

  it("start at the plan's start time, and never before", () => {
    const startAt = "2026-01-01T00:00:04Z";
    const plan = after(submitted([step("a")], { startAt }));
    expect(ended(andAfter(plan, cancelRequested()))).toMatchObject({ durationMs: 5_000 });
    const early = andAfter(plan, cancelRequested(), later(1, planEnded("cancelled")));
    expect(figuresOf(early)?.durationMs).toBe(0);
  });

  it("use the last rating, and are otherwise those at the plan's end", () => {
    const plan = after(submitted([step("a")]), cancelRequested(), later(9, planEnded("cancelled")));
    const said = (number: number, rating: number) => fact("feedback.given", { number, rating, by: "ann" });
    const rated = andAfter(plan, said(1, 2), said(2, 5), succeeded("a"));
    expect(figuresOf(rated)).toEqual({ ...figuresOf(plan), rating: 5, ratings: 2 });
  });
});

describe("human edits", () => {
  const policy = { approval: { plan: true, risk: "high", expiresAfterMs: 60_000 } };
  const asked = (plan: KnownPlan): PlanEvent => {
    const [command] = decide(plan, [{ kind: "plan-approval" }]);
    if (command?.kind !== "record") throw new Error("nothing is asked");
    return fact(command.event.type, command.event.data);
  };

  it("are counted by plans and by arguments, next to the number of decisions", () => {
    const mail = (id: string) => step(id, [], { tool: "mail.send" });
    const waiting = after(submitted([mail("a"), mail("b"), mail("c")], policy));
    const open = andAfter(waiting, asked(waiting));
    const edits = { steps: [mail("a"), mail("b"), mail("d")] };
    const grants = { "mail.send": { pool: "default", risk: "high", effect: "once", timeoutMs: 1_000 } };
    let plan = andAfter(open, approvalDecided("plan-0", "approve", { edits, grants }));
    for (const id of ["a", "b", "d"]) plan = andAfter(plan, approvalRequested(plan, id));
    plan = andAfter(
      plan,
      approvalDecided("risk-a-0", "approve"),
      approvalDecided("risk-b-0", "approve", { edits: { to: "bob" } }),
      approvalDecided("risk-d-0", "reject"),
      succeeded("a"),
      succeeded("b"),
    );
    expect(tallyOf(plan)).toMatchObject({
      decisions: 4,
      planEdits: 1,
      argumentEdits: 1,
      mutationsOnce: 2,
      // The rejected call was never made, but its step failed.
      steps: 3,
      stepsFailed: 1,
      toolCalls: 2,
      toolCallsMin: 2,
    });
    const expired = andAfter(open, timerFired("approval-plan-0"));
    expect(tallyOf(expired)).toMatchObject({ decisions: 0, planEdits: 0 });
  });
});

it("counts changes once for each step and each compensation that succeeded", () => {
  const compensate = { tool: "files.write", args: {} };
  const plan = after(
    submitted([
      step("a", [], { tool: "files.write", compensate }),
      step("b", [], { tool: "files.write" }),
      step("c"),
    ]),
    faltered("a"),
    timerFired("retry-a-0-2"),
    succeeded("a", 1, 2),
    failed("b"),
    cancelRequested(),
  );
  const counted = { steps: 2, stepsFailed: 1, toolCalls: 3, mutationsIdempotent: 1 };
  expect(tallyOf(plan)).toMatchObject(counted);
  const undo = { undo: true };
  const tried = andAfter(plan, faltered("a", 1, undo));
  expect(tallyOf(tried)).toMatchObject({ ...counted, toolCalls: 4 });
  const undone = andAfter(tried, timerFired("retry-a-undo-2"), succeeded("a", 1, 2, undo));
  expect(tallyOf(undone)).toMatchObject({ ...counted, toolCalls: 5, mutationsIdempotent: 2 });
});

it("counts the best path of a tree search as its plan", () => {
  const plan = after(
    submitted(undefined, { strategy: "tree-search", search: { iterations: 1, width: 2, depth: 1 } }),
    draftStarted(1, "tree-search"),
    planned(step("a")),
    planned(step("b"), { index: 1 }),
    sealed(1),
    succeeded("a"),
    succeeded("b"),
    nodesValued(1, { a: 0.2, b: 0.7 }),
    answerGiven(2),
  );
  expect(tallyOf(plan)).toMatchObject({ toolCalls: 2, toolCallsMin: 1, modelCallsMin: 2 });
});

describe("a plan with sub-plans", () => {
  const child = after(
    submitted([writer("x"), step("y")], { planId: "leaf" }),
    succeeded("x"),
    failed("y"),
    answerGiven(1),
  );
  const end = { durationMs: 1, tally: tallyOf(child) };

  it("includes their work in its own metrics, and leaves failed sub-plans out of its minimum", () => {
    const run = (id: string) => step(id, [], { tool: "plan.run", args: { goal: id } });
    const plan = after(submitted([run("a"), run("b")]), succeeded("a", 1, 1, end), failed("b", 1, end));
    // The plan itself: two calls. Each sub-plan: two calls, one of them by a model, and a join.
    expect(tallyOf(plan)).toMatchObject({ steps: 6, stepsFailed: 3, toolCalls: 6 });
    expect(tallyOf(plan)).toMatchObject({ toolCallsMin: 2 + 2, modelCallsMin: 1 + 2 });
    // A step that delegates its work changes nothing itself.
    expect(tallyOf(plan)).toMatchObject({ mutationsIdempotent: 0 });
  });
});
