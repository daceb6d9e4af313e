// These logs cover every transition in the tables.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  AT,
  answerDrafted,
  answerGiven,
  answerReviewed,
  approvalDecided,
  cancelRequested,
  draftStarted,
  expanded,
  fact,
  failed,
  faltered,
  givenUp,
  interrupted,
  loopFact,
  nodesValued,
  ONCE,
  pauseRequested,
  planned,
  planEnded,
  planReviewed,
  redriveRequested,
  revised,
  resumeRequested,
  reviewed,
  revisionRequested,
  sealed,
  skipped,
  started,
  step,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import { MOVES, movesBetween } from "../../test/transition-invariants.ts";
import { decide } from "../decide/decide.ts";
import { PlanEvent } from "../events/plan-event.ts";
import { StepId } from "../values/ids.ts";
import { evolve } from "./evolve.ts";
import { type KnownPlan, noPlan, type Plan } from "./plan-state.ts";

/** The events that the dispatcher would record now. */
const DECIDED = "decided";
const mail = (id: string, more: object = {}) => step(id, [], { tool: "mail.send", ...more });
const write = (id: string, more: object = {}) =>
  step(id, [], { tool: "files.write", compensate: { tool: "mail.send", args: {}, ...more } });
const undone = (event: PlanEvent): PlanEvent =>
  fact(event.type, { ...event.data, undo: true }, { id: `${event.id} undo` });
const TWICE = { retry: { maxAttempts: 2 } };
const OVER_LIST = { forEach: { $ref: "list.output" } };
const item = (index: number, more: object = {}) => ({ item: index, ...more });
const REVIEWED = { tool: "draft.write", review: { maxIterations: 2 } };
const ASKED = { approval: { plan: false, risk: "high", expiresAfterMs: 60_000 } };
const UNDO_ASKED = { policy: { rules: [{ tools: ["mail.*"], requireApproval: true }] } };
const rejected = reviewed("a", { verdict: "rejected", score: 0, issues: ["short"], suggestion: "more" });
const forked = {
  fork: { planId: "p0", fromStep: "b", seq: 9 },
  carried: [
    {
      step: step("a"),
      grant: { pool: "default", risk: "low", effect: "read", timeoutMs: 1 },
      output: { value: 1 },
    },
  ],
};
const unknown = [started("a"), interrupted("a"), DECIDED] as const;
const happened = approvalDecided("unknown-a-0-1", "happened", { output: 1 });
const undoing = [succeeded("a"), cancelRequested()] as const;

const LATER = { startAt: "2026-01-02T00:00:00Z" };
const STARTS = timerFired("start");
const SEARCH = { iterations: 2, width: 2, depth: 3, exploration: 1 };
const ATTEMPT = { stepId: StepId.parse("a"), item: 0, attempt: 1 };
const TURN = { turn: 1, thought: "t", tool: "mail.send", args: { to: "bob" } };
const CALL = [started("a"), loopFact("call.started", ATTEMPT, { ...TURN, effect: "once" })];
const asked = (more: object = {}) =>
  loopFact("step.asked", ATTEMPT, { startedAt: AT, durationMs: 5, call: { ...TURN, risk: "high", ...more } });

/** A round of a search: its actions are proposed, succeed and are valued. */
function round(number: number, values: Readonly<Record<string, number>>): PlanEvent[] {
  const ids = Object.keys(values);
  const goal = submitted(undefined, { strategy: "tree-search", search: SEARCH });
  return [
    ...(number === 1 ? [goal] : []),
    draftStarted(number, "tree-search"),
    ...ids.map((id, index) => planned(step(id), { draft: number, index })),
    sealed(number),
    ...ids.map((id) => succeeded(id)),
    nodesValued(number, values),
  ];
}

const LOGS: Readonly<Record<string, readonly (PlanEvent | typeof DECIDED)[]>> = {
  "a step waits for another, and both succeed": [
    submitted([step("a"), step("b", ["a"]), step("c")]),
    succeeded("a"),
    succeeded("b"),
    succeeded("c"),
    answerGiven(1),
  ],
  "a plan is forked": [submitted([step("b", ["a"])], forked)],
  "a step is tried again, fails for good, and its dead letter is retried": [
    submitted([step("a", [], TWICE), step("b", ["a"]), step("c")]),
    faltered("a"),
    timerFired("retry-a-0-2"),
    givenUp("a", 2),
    skipped(["b"], "a"),
    redriveRequested("a", 2),
  ],
  "a dead letter is retried while the plan is paused": [
    submitted([step("a"), step("c")]),
    givenUp("a"),
    pauseRequested(),
    redriveRequested("a"),
  ],
  "a dead letter is retried while the results are put together": [
    submitted([step("a"), step("c")]),
    succeeded("c"),
    givenUp("a"),
    redriveRequested("a"),
  ],
  "the results lead to a revision, and are put together once more": [
    submitted(),
    draftStarted(),
    planned(step("a")),
    sealed(),
    succeeded("a"),
    revisionRequested(1),
    draftStarted(2),
    revised(2, { kept: ["a"] }),
  ],
  "a step is to run for each of what is no list": [
    submitted([step("list"), step("a", [], OVER_LIST)]),
    succeeded("list", 5),
    DECIDED,
  ],
  "steps that wait, run or await a person are cancelled": [
    submitted([step("a"), step("b", ["a"]), mail("m")], ASKED),
    cancelRequested(),
  ],
  "a person lets steps run, one of them later": [
    submitted([mail("a"), mail("b"), step("c"), mail("d", { dependsOn: ["c"] })], ASKED),
    DECIDED,
    approvalDecided("risk-a-0", "approve"),
    succeeded("c"),
    pauseRequested(),
    approvalDecided("risk-b-0", "approve"),
  ],
  "a person rejects a step": [submitted([mail("a")], ASKED), DECIDED, approvalDecided("risk-a-0", "reject")],
  "a person says that a step has happened": [submitted([mail("a"), step("b")]), ...unknown, happened],
  "a person says that a step has happened which another verifies": [
    submitted([mail("a"), step("b", [], { verifies: "a" })]),
    ...unknown,
    happened,
  ],
  "a step runs for each of a list": [
    submitted([step("list"), step("a", [], OVER_LIST)]),
    succeeded("list", [1, 2]),
    expanded("a", 2),
    succeeded("a", 1, 1, item(0)),
    succeeded("a", 1, 1, item(1)),
  ],
  "a step runs for each of a list, and another verifies it": [
    submitted([step("list"), step("a", [], OVER_LIST), step("b", [], { verifies: "a" })]),
    succeeded("list", [1]),
    expanded("a", 1),
    succeeded("a", 1, 1, item(0)),
    failed("b"),
  ],
  "a step runs for each of a list, and all its items fail": [
    submitted([step("list"), step("a", [], OVER_LIST)]),
    succeeded("list", [1]),
    expanded("a", 1),
    failed("a", 1, item(0)),
  ],
  "a step runs for each of a list, with a person's leave, and is cancelled": [
    submitted([step("list"), mail("a", OVER_LIST)], ASKED),
    succeeded("list", [1]),
    expanded("a", 1),
    cancelRequested(),
  ],
  "the list of a step is empty": [
    submitted([step("list"), step("a", [], OVER_LIST)]),
    succeeded("list", []),
    expanded("a", 0),
  ],
  "the list of a step that another verifies is empty": [
    submitted([step("list"), step("a", [], OVER_LIST), step("b", [], { verifies: "a" })]),
    succeeded("list", []),
    expanded("a", 0),
  ],
  "the budget leaves nothing for the items of a list": [
    submitted([step("list"), step("a", [], OVER_LIST)], { budget: { steps: 1, onExhausted: "end" } }),
    succeeded("list", [1]),
    expanded("a", 1),
  ],
  "an output is rejected and made better": [
    submitted([step("a", [], REVIEWED), step("b")]),
    succeeded("a"),
    rejected,
    succeeded("a", 2, 2),
    reviewed("a", { attempt: 2 }),
  ],
  "an output is rejected while the plan is paused": [
    submitted([step("a", [], REVIEWED)]),
    succeeded("a"),
    pauseRequested(),
    rejected,
  ],
  "a draft is written, and its last step waits for a person": [
    submitted(undefined, ASKED),
    draftStarted(),
    planned(mail("a"), { grant: { pool: "default", risk: "high", effect: "once", timeoutMs: 1 } }),
    planned(step("b"), { index: 1 }),
    sealed(),
    cancelRequested(),
  ],
  "a draft cannot be read, and is written again": [submitted(), draftStarted(), abandoned()],
  "a model fails, and is asked again later": [
    submitted(),
    draftStarted(),
    abandoned(1, { cause: "model_failed" }),
    timerFired("draft-2"),
    cancelRequested(),
  ],
  "a model fails before a draft is begun": [submitted(), abandoned(1, { cause: "model_failed" })],
  "a plan is cancelled while it waits to ask a model again": [
    submitted(),
    draftStarted(),
    abandoned(1, { cause: "model_failed" }),
    cancelRequested(),
  ],
  "a draft is judged and may run": [
    submitted(undefined, { review: { plan: {} } }),
    draftStarted(),
    planned(step("a")),
    sealed(),
    planReviewed(),
  ],
  "a draft is judged and improved": [
    submitted(undefined, { review: { plan: {} } }),
    draftStarted(),
    planned(step("a")),
    sealed(),
    planReviewed({ verdict: "rejected", score: 0, issues: ["too short"], suggestion: "more" }),
  ],
  "an action of a search fails while others are proposed": [
    submitted(undefined, { strategy: "tree-search", search: SEARCH }),
    draftStarted(1, "tree-search"),
    planned(step("a")),
    failed("a"),
    sealed(),
  ],
  "a plan is revised": [
    submitted([step("a"), step("b")], { replanOnFailure: true }),
    failed("a"),
    draftStarted(1),
    planned(step("c")),
    revised(1, { kept: ["b"], dropped: ["a"], added: ["c"] }),
  ],
  "what was done is undone, one after the other": [
    submitted([write("a"), write("b"), step("c")]),
    succeeded("b"),
    ...undoing,
    undone(succeeded("a")),
    undone(failed("b")),
  ],
  "what was done is undone when the sub-plan of a cancelled plan has ended": [
    submitted([write("a"), step("b", [], { tool: "plan.run", args: { goal: "b" } })]),
    DECIDED,
    ...undoing,
    succeeded("b", { text: "done", status: "success", planId: "p2" }),
  ],
  "undoing is tried again": [
    submitted([write("a", { tool: "files.write", ...TWICE }), step("c")]),
    ...undoing,
    undone(faltered("a")),
    timerFired("retry-a-undo-2"),
  ],
  "a person says whether something was undone": [
    submitted([write("a"), step("c")]),
    ...undoing,
    undone(started("a")),
    undone(interrupted("a")),
    DECIDED,
    approvalDecided("unknown-a-undo-1", "happened"),
  ],
  "people let undoing run, and reject it": [
    submitted([write("a"), write("b"), step("c")], UNDO_ASKED),
    succeeded("b"),
    ...undoing,
    DECIDED,
    approvalDecided("risk-a-undo", "approve"),
    undone(succeeded("a")),
    DECIDED,
    approvalDecided("risk-b-undo", "reject"),
  ],
  "a plan starts later": [submitted([step("a")], LATER), STARTS],
  "a plan that a model writes starts later": [submitted(undefined, LATER), STARTS],
  "a plan that needs an approval starts later": [submitted([mail("a")], { ...ASKED, ...LATER }), STARTS],
  "a plan of which nothing is left to run starts later": [
    submitted([step("b", [], { when: "a.output > 5" })], { ...forked, ...LATER }),
    DECIDED,
    STARTS,
  ],
  "a draft waits for an approval": [
    submitted(undefined, ASKED),
    draftStarted(),
    planned(mail("a"), { grant: ONCE }),
    sealed(),
  ],
  "an approval expires": [
    submitted([mail("a"), step("c")], ASKED),
    succeeded("c"),
    DECIDED,
    timerFired("approval-risk-a-0"),
  ],
  "a step with an effect is done, and another waits for an approval": [
    submitted([write("a"), mail("m")], ASKED),
    DECIDED,
    succeeded("a"),
  ],
  "a plan with effects is revised": [
    submitted([write("a"), step("b")], { replanOnFailure: true }),
    succeeded("a"),
    failed("b"),
  ],
  "a plan with effects fails": [
    submitted([write("a"), step("c")]),
    succeeded("a"),
    failed("c"),
    answerGiven(1, { status: "failed" }),
    undone(succeeded("a")),
  ],
  "the budget of a plan with effects is used up": [
    submitted([write("a"), step("b", ["a"])], { budget: { steps: 1, onExhausted: "end" } }),
    succeeded("a"),
    undone(succeeded("a")),
  ],
  "a budget is too small for the draft, and is raised": [
    submitted(undefined, { budget: { tokens: 50, onExhausted: "ask" } }),
    DECIDED,
    approvalDecided("budget-1", "approve", { edits: { tokens: 100_000 } }),
  ],
  "a budget is reached during the synthesis, and is not raised": [
    submitted([step("a"), step("b")], { budget: { seconds: 60, onExhausted: "ask" } }),
    succeeded("a"),
    succeeded("b"),
    timerFired("budget-1"),
    DECIDED,
    approvalDecided("budget-1", "reject"),
  ],
  "an answer is reviewed": [
    submitted([step("a"), step("b")], { review: { answer: {} } }),
    succeeded("a"),
    succeeded("b"),
    answerDrafted(1),
    answerReviewed(),
  ],
  "a search finds a solution, which is rejected, and continues": [
    ...round(1, { a: 1, b: 0.6 }),
    revisionRequested(2),
  ],
  "a search rejects the best path that it knows": [
    ...round(1, { a: 0.2 }),
    ...round(2, { c: 0.1 }),
    revisionRequested(3),
  ],
  "no action of a search succeeds": [
    submitted(undefined, { strategy: "tree-search", search: { ...SEARCH, iterations: 1 } }),
    draftStarted(1, "tree-search"),
    planned(step("a")),
    sealed(),
    failed("a"),
  ],
  "an effect takes place": [submitted([write("a"), step("c")]), started("a"), succeeded("a")],
  "an effect fails, and a success arrives late": [
    submitted([write("a"), step("c")]),
    started("a"),
    failed("a"),
    succeeded("a"),
  ],
  "an unknown effect turns out to have failed": [submitted([mail("a"), step("c")]), ...unknown, failed("a")],
  "an effect without a known start is confirmed": [
    submitted([mail("a")]),
    interrupted("a"),
    DECIDED,
    happened,
  ],
  "a loop asks for a call, and succeeds": [
    submitted([write("a")], ASKED),
    started("a"),
    asked(),
    succeeded("a"),
  ],
  "a loop asks for a call, and fails": [submitted([write("a")], ASKED), started("a"), asked(), failed("a")],
  "a call returns": [
    submitted([write("a")]),
    ...CALL,
    loopFact("turn.taken", ATTEMPT, { ...TURN, output: { value: 1 } }),
  ],
  "a call fails": [
    submitted([write("a")]),
    ...CALL,
    loopFact("turn.taken", ATTEMPT, { ...TURN, error: { code: "e", message: "m" } }),
  ],
  "a call has an unknown outcome, and is confirmed": [
    submitted([write("a")]),
    ...CALL,
    asked({ doubt: "its worker died" }),
    DECIDED,
    approvalDecided("call-a-0-1-1", "happened", { output: 7 }),
  ],
};

type Walk = { readonly moves: readonly string[]; readonly plans: readonly KnownPlan[] };

function walk(name: string, events: (typeof LOGS)[string]): Walk {
  let plan: Plan = noPlan;
  const moves: string[] = [];
  const plans: KnownPlan[] = [];
  for (const event of events) {
    for (const told of event === DECIDED ? decidedIn(plan) : [event]) {
      const after = evolve(plan, told);
      if (after === plan || after.status === "absent")
        throw new Error(`${name}: ${told.type} is not accepted`);
      moves.push(...movesBetween(plan, after));
      plans.push(after);
      plan = after;
    }
  }
  return { moves, plans };
}

/** What users and the dispatcher can do with a plan at any time: pause and resume it, cancel it, and record its end. */
function interventionsIn(plan: KnownPlan): (readonly PlanEvent[])[] {
  const pause = plan.pauses + 1;
  return [
    [pauseRequested(pause), resumeRequested(pause)],
    [pauseRequested(pause), cancelRequested()],
    plan.pauses > 0 ? [resumeRequested(plan.pauses)] : [],
    [cancelRequested()],
    ...["succeeded", "partial", "failed", "cancelled"].map((outcome) => [planEnded(outcome)]),
  ];
}

function movesOfInterventions(plan: KnownPlan): string[] {
  return interventionsIn(plan).flatMap((events) => {
    let before: Plan = plan;
    return events.flatMap((event) => {
      const after = evolve(before, event);
      const moves = after === before || after.status === "absent" ? [] : movesBetween(before, after);
      before = after;
      return moves;
    });
  });
}

function decidedIn(plan: Plan): PlanEvent[] {
  if (plan.status === "absent") return [];
  return decide(plan).flatMap((command) =>
    command.kind === "record" ? [PlanEvent.parse({ ...command.event, at: AT })] : [],
  );
}

describe("the transition tables", () => {
  const walks = Object.entries(LOGS).map(([name, events]) => walk(name, events));
  const walked = walks.flatMap(({ moves, plans }) => [...moves, ...plans.flatMap(movesOfInterventions)]);

  it("contain every move of these logs", () => {
    expect([...new Set(walked.filter((told) => !MOVES.has(told)))]).toEqual([]);
  });

  it("contain no move that none of these logs makes", () => {
    const made = new Set(walked);
    expect([...MOVES].filter((told) => !made.has(told))).toEqual([]);
  });
});
