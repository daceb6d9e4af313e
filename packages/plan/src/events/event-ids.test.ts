import { describe, expect, it } from "vitest";
import { BARE_GOAL } from "../testing/steps.ts";
import { PlanId, StepId } from "../values/ids.ts";
import { UnitId } from "./values.ts";
import { ApprovalDecided, ApprovalRequested } from "./approval-events.ts";
import {
  PlanArchived,
  type EventType,
  PlanEvent,
  DeleteRequested,
  PlanDeleted,
  LogDamaged,
  RedriveRequested,
  FactRecorded,
} from "./plan-event.ts";
import { CancelRequested, GoalSubmitted, PauseRequested, ResumeRequested } from "./control-events.ts";
import { DraftAbandoned, DraftStarted, PlanRevised, PlanSealed, StepPlanned } from "./draft-events.ts";
import { FeedbackGiven } from "./feedback-events.ts";
import { ModelFailed } from "./model-events.ts";
import {
  AnswerDrafted,
  AnswerGiven,
  JoinAbandoned,
  PlanEnded,
  RevisionRequested,
  TimerFired,
} from "./outcome-events.ts";
import { AnswerReviewed, PlanReviewed, StepReviewed } from "./review-events.ts";
import { NodesValued } from "./search-events.ts";
import {
  StepAsked,
  StepExpanded,
  StepFailed,
  StepInterrupted,
  StepSkipped,
  StepStarted,
  StepSucceeded,
  UnitClosed,
} from "./step-events.ts";
import { CallStarted, TurnStarted, TurnTaken } from "./turn-events.ts";
import {
  critiqueWorkId,
  draftWorkId,
  factsWorkId,
  joinWorkId,
  reviewWorkId,
  type StepWork,
  stepWorkId,
  unitWorkId,
} from "./work.ts";

const planId = PlanId.parse("p1");
const a = StepId.parse("a");
const head = { planId, at: new Date("2026-01-01T00:00:00Z") };
const trace = { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false };
const usage = { modelCalls: 1, inputTokens: 10, outputTokens: 2, costUsd: null };
const answer = { text: "42", status: "success", sources: [], artifacts: [] } as const;
const given = { ...answer, sources: [], artifacts: [] };
const run = { stepId: a, item: 2, attempt: 3 };
const first = { ...run, pool: "default" };
const ended = { ...first, workerId: "w1", startedAt: "2026-01-01T00:00:00.000Z", durationMs: 1 };
const error = { code: "e", message: "m" };
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 } as const;
const judgement = { verdict: "accepted", usage } as const;
const call = { turn: 4, thought: "", tool: "flow.echo", args: {} };
const outline = {
  strategy: "submitted" as const,
  usage,
  tenant: "local",
  goal: "g",
  metadata: {},
  status: "succeeded",
  submittedAt: "2026-01-01T00:00:00Z",
  done: 1,
  total: 1,
  percent: 100,
  seq: 9,
};
const tries = {
  report: 7,
  calls: 1,
  callsMax: 5,
  message: "m",
  since: "2026-01-01T00:00:00Z",
  retryAt: "2026-01-01T00:00:01Z",
};

/** One event of each type, and its id after `p1/`. */
const EVENTS: Readonly<Record<EventType, readonly (readonly [PlanEvent, string])[]>> = {
  "goal.submitted": [
    [GoalSubmitted.create(head, { ...BARE_GOAL, goal: "g", tenant: "local" }), "goal.submitted"],
  ],
  "cancel.requested": [[CancelRequested.create(head, { reason: "r", by: "ann" }), "cancel.requested"]],
  "pause.requested": [
    [PauseRequested.create(head, { pause: 2, reason: "r", by: "ann" }), "pause.requested/2"],
  ],
  "resume.requested": [[ResumeRequested.create(head, { pause: 2, by: "ann" }), "resume.requested/2"]],
  "draft.started": [
    [
      DraftStarted.create(
        head,
        { draft: 2, strategy: "auto", strategyReason: "r", workerId: "w1", seen: 3, tools: [] },
        "w1/5",
      ),
      "draft/2/started/w1/5",
    ],
  ],
  "step.planned": [
    [
      StepPlanned.create(head, {
        draft: 2,
        index: 3,
        step: { id: "a", tool: "flow.echo", description: "", args: {}, dependsOn: [] },
        grant,
      }),
      "draft/2/step/3",
    ],
  ],
  "plan.sealed": [[PlanSealed.create(head, { draft: 2, steps: 1, usage }), "draft/2/sealed"]],
  "plan.revised": [
    [
      PlanRevised.create(head, {
        draft: 2,
        revision: 1,
        cause: "results",
        reason: "r",
        kept: [],
        dropped: [],
        added: [],
        usage,
      }),
      "draft/2/revised",
    ],
  ],
  "draft.abandoned": [
    [
      DraftAbandoned.create(head, {
        draft: 2,
        cause: "invalid",
        message: "m",
        issues: [],
        retryable: true,
        usage,
      }),
      "draft/2/abandoned/invalid",
    ],
  ],
  "step.started": [
    [StepStarted.create(head, { ...first, workerId: "w1", delivery: 1 }, "w1/8/1"), "a/2/3/started/w1/8/1"],
    [StepStarted.create(head, { ...run, workerId: "planner", delivery: 1, subPlan: "p2" }), "a/2/3/started"],
  ],
  "step.succeeded": [
    [StepSucceeded.create(head, { ...ended, output: { value: 1 }, artifacts: [] }), "a/2/3/done"],
    [
      StepSucceeded.create(head, { ...ended, undo: true, output: { value: 1 }, artifacts: [] }),
      "a/undo/3/done",
    ],
    [
      StepSucceeded.create(head, {
        ...ended,
        unit: UnitId.parse("b"),
        output: { value: 1 },
        artifacts: [],
      }),
      "a/2/3/unit/b/done",
    ],
  ],
  "step.failed": [[StepFailed.create(head, { ...ended, error, retryable: false }), "a/2/3/done"]],
  "unit.closed": [
    [
      UnitClosed.create(
        head,
        { unit: UnitId.parse("a"), pool: "default", workerId: "w1", because: "time", kept: [] },
        "w1/8/1",
      ),
      "unit/a/closed/w1/8/1",
    ],
  ],
  "step.interrupted": [
    [StepInterrupted.create(head, { ...first, workerId: "w1", message: "m" }), "a/2/3/interrupted"],
  ],
  "step.asked": [[StepAsked.create(head, { ...ended, call: { ...call, risk: "high" } }), "a/2/3/done"]],
  "step.skipped": [
    [
      StepSkipped.create(head, { stepIds: ["b", "c"], because: "a", reason: "r" }, () => 0),
      "skip/a/2-54114e05",
    ],
    [
      StepSkipped.create(head, { stepIds: ["a"], because: "a", reason: "r", passedOver: true }, () => 1),
      "pass/a/1",
    ],
  ],
  "step.reviewed": [[StepReviewed.create(head, { ...run, review: 2, ...judgement }), "a/2/3/review/2/done"]],
  "plan.reviewed": [
    [PlanReviewed.create(head, { draft: 1, review: 2, ...judgement }), "plan/1/review/2/done"],
  ],
  "step.expanded": [[StepExpanded.create(head, { stepId: "a", items: 3 }, 1), "expand/a/1"]],
  "answer.reviewed": [
    [AnswerReviewed.create(head, { draft: 1, review: 2, ...judgement }), "answer/1/review/2/done"],
  ],
  "answer.drafted": [[AnswerDrafted.create(head, { join: 2, answer: given }), "join/2/done"]],
  "approval.requested": [
    [
      ApprovalRequested.create(head, {
        approvalId: "risk-a-0",
        kind: "tool-risk",
        question: "?",
        expiresAfterMs: 1e3,
      }),
      "approval/risk-a-0",
    ],
  ],
  "approval.decided": [
    [
      ApprovalDecided.create(head, { approvalId: "risk-a-0", decision: "approve", by: "ann" }, "u1"),
      "approval/risk-a-0/u1",
    ],
  ],
  "fact.recorded": [[FactRecorded.create(head, { ...run, facts: [], usage }), "a/2/3/facts"]],
  "turn.started": [
    [
      TurnStarted.create(head, { ...first, turn: 4, thought: "", calls: [{ error }, { error }] }),
      "a/2/turn/4/started/3",
    ],
  ],
  "call.started": [
    [
      CallStarted.create(head, { ...first, ...call, call: 2, effect: "once", workerId: "w1" }, "u1"),
      "a/2/call/4_2/u1",
    ],
  ],
  "turn.taken": [[TurnTaken.create(head, { ...first, ...call }), "a/2/turn/4/3"]],
  "answer.given": [
    [AnswerGiven.create(head, { answer: given }), "answer"],
    [AnswerGiven.create(head, { join: 2, answer: given }), "join/2/done"],
  ],
  "revision.requested": [
    [RevisionRequested.create(head, { join: 2, reason: "r", answer: given, usage }), "join/2/done"],
  ],
  "join.abandoned": [
    [JoinAbandoned.create(head, { join: 2, cause: "interrupted", message: "m", usage }), "join/2/done"],
  ],
  "nodes.valued": [[NodesValued.create(head, { join: 2, values: [], usage }), "join/2/done"]],
  "model.failed": [
    [
      ModelFailed.create(head, { work: { kind: "join", join: 2 }, tries }),
      'model/{"kind":"join","join":2}/7',
    ],
  ],
  "plan.ended": [[PlanEnded.create(head, { outcome: "succeeded", reason: "r" }), "end"]],
  "timer.fired": [[TimerFired.create(head, { timer: "retry-a-0-2" }), "timer/retry-a-0-2"]],
  "plan.archived": [
    [
      PlanArchived.create(head, { firstSequence: 1, lastSequence: 9, outline, bodyHash: "h", trace }),
      "archived/9",
    ],
  ],
  "delete.requested": [[DeleteRequested.create(head, { by: "local", trace }), "delete.requested"]],
  "plan.deleted": [[PlanDeleted.create(head, { tenant: "local" }, 12), "deleted/12"]],
  "redrive.requested": [[RedriveRequested.create(head, { ...run, by: "ann" }), "redrive/a/2/3"]],
  "log.damaged": [[LogDamaged.create(head, { reason: "r", by: "planner" }), "log.damaged"]],
  "feedback.given": [
    [FeedbackGiven.create(head, { number: 1, rating: 5, by: "ann" }, "u1"), "feedback/1/u1"],
  ],
};

describe("the id of an event", () => {
  it.each(Object.entries(EVENTS))("names what the event reports, for the type %s", (type, events) => {
    for (const [event, name] of events) {
      expect(event).toMatchObject({ id: `p1/${name}`, type, planId: "p1", at: "2026-01-01T00:00:00.000Z" });
      expect(PlanEvent.parse(event)).toEqual(event);
    }
  });

  it("differs for steps that are skipped again after one of them was retried", () => {
    const data = { stepIds: ["b", "c"], because: "a", reason: "r" };
    const again = StepSkipped.create(head, data, (stepId) => (stepId === "c" ? 1 : 0));
    expect(again.id).not.toBe(StepSkipped.create(head, data, () => 0).id);
  });
});

it("refuses to create an event whose data does not fit its schema", () => {
  expect(() => PauseRequested.create(head, { pause: 0, reason: "r", by: "ann" })).toThrow("pause");
  const { durationMs: _durationMs, ...rest } = ended;
  const data = { ...rest, durationMs: -1, output: { value: 1 }, artifacts: [] };
  expect(() => StepSucceeded.create(head, data)).toThrow("durationMs");
});

describe("the id of a work message", () => {
  const work: StepWork = {
    planId,
    tenant: "local",
    ...run,
    sentAfter: 0,
    tool: "flow.echo",
    args: {},
    pool: "default",
    effect: "read",
    timeoutMs: 1e3,
    trace,
  };

  it("names the attempt or the unit, and the pause after which it was sent again", () => {
    expect(stepWorkId(work)).toBe("p1/a/2/3");
    expect(stepWorkId({ ...work, undo: true })).toBe("p1/a/undo/3");
    expect(unitWorkId({ planId, unit: UnitId.parse("a") })).toBe("p1/a/unit");
    expect(stepWorkId({ ...work, sentAfter: 2 })).toBe("p1/a/2/3/after-2");
  });

  it("names the draft, the synthesis, the output or the review", () => {
    expect(draftWorkId({ planId, draft: 2, trace })).toBe("p1/draft/2");
    expect(joinWorkId({ planId, join: 2, trace })).toBe("p1/join/2");
    expect(factsWorkId({ planId, ...run, trace })).toBe("p1/facts/a/2/3");
    expect(reviewWorkId({ planId, ...run, review: 1, trace })).toBe("p1/a/2/3/review/1");
    expect(critiqueWorkId({ planId, of: "answer", draft: 1, review: 2, trace })).toBe("p1/answer/1/review/2");
  });
});
