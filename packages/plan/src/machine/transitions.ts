/**
 * How a plan and its parts move from one status to another: every move that one event can make, and when it does.
 *
 * An event can move a part more than once; only the status before the event and the status after it count.
 */
import type { SearchNode } from "../tree-search/search-tree.ts";
import type { ApprovalStatus } from "./approval/approval-transitions.ts";
import type { Search } from "./drafting/drafting-state.ts";
import type { KnownPlan, PlanStatus, StepState } from "./plan-state.ts";
import type { Critique } from "./review/critique-state.ts";
import type { EffectRecord } from "./step/step-records.ts";
import type { CompensationEntry } from "./step/step-state.ts";

/** `none`: the part does not exist, or not yet. */
type From<Status extends string> = Status | "none";

export type Transition<Status extends string> = {
  /** Several statuses if the move means the same from each of them. */
  readonly from: From<Status> | readonly From<Status>[];
  readonly to: Status;
  readonly when: string;
};

/** A plan counts as cancelled as soon as this is requested; its end is recorded later. */
const ACTIVE: readonly PlanStatus[] = [
  "scheduled",
  "planning",
  "awaiting-approval",
  "running",
  "reflecting",
  "paused",
  "compensating",
];
const OPEN: readonly PlanStatus[] = [...ACTIVE, "cancelled"];

/** Of the plan as a whole. The status follows from the other parts: see status.ts. */
export const PLAN_TRANSITIONS: readonly Transition<PlanStatus>[] = [
  { from: "none", to: "scheduled", when: "it is submitted with a start time in the future" },
  { from: "paused", to: "scheduled", when: "it is resumed before its start time" },
  { from: ["none", "scheduled"], to: "planning", when: "a model has to write it" },
  { from: "awaiting-approval", to: "planning", when: "a decision lets a model write the next draft" },
  { from: ["running", "reflecting"], to: "planning", when: "a revision or a new round of a search is due" },
  { from: "paused", to: "planning", when: "it is resumed, and a draft is missing" },
  { from: ["none", "scheduled"], to: "running", when: "it was submitted with steps, and one may run" },
  { from: "planning", to: "running", when: "its draft may run, or its end is decided" },
  { from: "awaiting-approval", to: "running", when: "a decision lets it continue, or its end is decided" },
  { from: "reflecting", to: "running", when: "a dead letter is retried, or its end is decided" },
  { from: "paused", to: "running", when: "it is resumed, and steps may run" },
  { from: "compensating", to: "running", when: "every effect is undone, and its end has to be recorded" },
  { from: ["none", "scheduled"], to: "awaiting-approval", when: "nothing may run until a user decides" },
  { from: ["planning", "reflecting"], to: "awaiting-approval", when: "nothing may run until a user decides" },
  { from: "running", to: "awaiting-approval", when: "no step runs, and the next needs a user's decision" },
  { from: "paused", to: "awaiting-approval", when: "it is resumed, and cannot run until a user decides" },
  { from: ["planning", "running"], to: "reflecting", when: "all steps are settled, and the answer is due" },
  { from: "scheduled", to: "reflecting", when: "it starts, and none of its steps is left to run" },
  { from: "awaiting-approval", to: "reflecting", when: "the last step is settled, and the answer is due" },
  { from: "paused", to: "reflecting", when: "it is resumed, and the answer is due" },
  { from: "compensating", to: "reflecting", when: "every effect is undone, and the answer is given" },
  {
    from: ["scheduled", "planning", "awaiting-approval", "running", "reflecting"],
    to: "paused",
    when: "a user pauses it, or its model server does not respond",
  },
  {
    from: ["planning", "awaiting-approval", "running", "reflecting", "paused"],
    to: "compensating",
    when: "it fails or is cancelled, and has effects to undo",
  },
  { from: "cancelled", to: "compensating", when: "its last sub-plan has ended, and it has effects to undo" },
  { from: ACTIVE, to: "cancelled", when: "it is cancelled, and nothing is left to undo" },
  { from: OPEN, to: "succeeded", when: "its end is recorded, and it has answered its goal" },
  { from: OPEN, to: "partial", when: "its end is recorded, and it has answered a part of its goal" },
  { from: OPEN, to: "failed", when: "its end is recorded, and it has not answered its goal" },
];

/** Of a step, or of its run for one item of a list. */
export const RUN_TRANSITIONS: readonly Transition<StepState["status"]>[] = [
  { from: "none", to: "waiting", when: "it is planned, and has to wait for something" },
  { from: "none", to: "running", when: "it is planned, and waits for nothing" },
  { from: "none", to: "awaiting-approval", when: "it is planned, and waits only for an approval" },
  { from: "none", to: "succeeded", when: "it was done in the plan that this one was forked from" },
  { from: "none", to: "cancelled", when: "its list becomes known at the moment the plan ends" },
  { from: "waiting", to: "running", when: "nothing is missing any more" },
  { from: "waiting", to: "awaiting-approval", when: "only an approval is missing" },
  { from: "waiting", to: "repeating", when: "the list that it runs for is known" },
  { from: "waiting", to: "reviewing", when: "its list is empty, and its output has to be checked" },
  { from: "waiting", to: "succeeded", when: "its list is empty" },
  { from: "waiting", to: "failed", when: "its arguments, condition or list cannot be resolved" },
  { from: "waiting", to: "skipped", when: "a step that it needs did not succeed, or it is not needed" },
  {
    from: ["waiting", "running", "awaiting-approval", "repeating"],
    to: "cancelled",
    when: "it is not needed any more",
  },
  { from: "running", to: "succeeded", when: "its output is accepted" },
  { from: "running", to: "reviewing", when: "its output has to be checked" },
  { from: "running", to: "failed", when: "it has failed, and has no attempt left" },
  { from: "running", to: "waiting", when: "it has failed, and will be retried later" },
  { from: "running", to: "awaiting-approval", when: "its outcome is unknown, or its loop asks for a call" },
  { from: "awaiting-approval", to: "running", when: "it is approved, or a late failure is retried" },
  { from: "awaiting-approval", to: "waiting", when: "it is approved, and no slot is free yet" },
  { from: "awaiting-approval", to: "succeeded", when: "a user enters its output, or a late one arrives" },
  { from: "awaiting-approval", to: "reviewing", when: "a user enters its output, which has to be checked" },
  { from: "awaiting-approval", to: "failed", when: "it is rejected, or its outcome arrives late" },
  { from: "repeating", to: "succeeded", when: "its last item has ended" },
  { from: "repeating", to: "reviewing", when: "its last item has ended, and its output has to be checked" },
  { from: "repeating", to: "failed", when: "all its items have failed" },
  { from: "reviewing", to: "succeeded", when: "its output is accepted, or the best of its outputs is kept" },
  { from: "reviewing", to: "failed", when: "its output is refused" },
  { from: "reviewing", to: "running", when: "its output is rejected, and it writes a better one" },
  { from: "reviewing", to: "waiting", when: "its output is rejected, and no slot is free yet" },
  { from: "failed", to: "running", when: "its dead letter is retried" },
  { from: "failed", to: "waiting", when: "its dead letter is retried, and no slot is free yet" },
  { from: "skipped", to: "waiting", when: "the dead letter of a step that it needs is retried" },
];

export const DRAFT_TRANSITIONS: readonly Transition<KnownPlan["drafting"]["phase"]>[] = [
  { from: "sealed", to: "requested", when: "a revision or another round of a search is needed" },
  { from: "requested", to: "open", when: "a planner starts to write it" },
  { from: "requested", to: "delayed", when: "the model fails before it starts, and is called again later" },
  { from: "open", to: "sealed", when: "it is complete, or abandoned for good" },
  { from: "open", to: "reviewing", when: "it is complete, and needs a review before it runs" },
  { from: "open", to: "requested", when: "it has to be written again, or the next draft is needed" },
  { from: "open", to: "delayed", when: "the model fails, and will be called again later" },
  { from: "delayed", to: "requested", when: "the time of the next call has come" },
  { from: ["requested", "delayed"], to: "sealed", when: "the plan ends before it is written" },
  { from: "reviewing", to: "sealed", when: "it may run, or the plan ends" },
  { from: "reviewing", to: "requested", when: "it is rejected, and has to be improved" },
];

/** Of a tree search. */
export const SEARCH_TRANSITIONS: readonly Transition<Search["phase"]>[] = [
  { from: "none", to: "expanding", when: "the plan's first draft is started" },
  { from: "expanding", to: "valuing", when: "the actions of a round have ended, and one has succeeded" },
  { from: "expanding", to: "answering", when: "no action succeeds or can be proposed, and no round is left" },
  { from: "valuing", to: "expanding", when: "no action solves the goal, and a round is left" },
  { from: "valuing", to: "answering", when: "an action solves the goal, or no round is left" },
  { from: "answering", to: "expanding", when: "the best path's answer is rejected, and a round is left" },
];

/** Of an action in the tree of a search. */
export const NODE_TRANSITIONS: readonly Transition<SearchNode["status"]>[] = [
  { from: "none", to: "open", when: "it is proposed" },
  { from: "none", to: "failed", when: "it is proposed, and its step has failed by then" },
  { from: "open", to: "failed", when: "its step did not succeed" },
  { from: "open", to: "solved", when: "it is valued, and reaches the goal" },
  { from: ["open", "solved"], to: "refuted", when: "the answer of the path that ends with it is rejected" },
];

/** Of the review of a whole draft, of the plan or of its answer. */
export const REVIEW_TRANSITIONS: readonly Transition<From<Critique["of"]>>[] = [
  { from: "none", to: "plan", when: "a draft of the plan is complete, and has to be reviewed" },
  { from: "none", to: "answer", when: "the answer is written, and has to be reviewed" },
  { from: ["plan", "answer"], to: "none", when: "the review is over, or the plan ends without it" },
];

/** Of the synthesis of the answer, or of the valuation of a round of a search. */
export const JOIN_TRANSITIONS: readonly Transition<KnownPlan["joining"]["phase"]>[] = [
  { from: "none", to: "requested", when: "all steps are settled, and a model has to write the answer" },
  { from: "done", to: "requested", when: "the answer has to be written again, or the results have changed" },
  { from: "requested", to: "done", when: "it has led to an answer, a revision or a failure" },
  { from: "requested", to: "none", when: "a dead letter is retried, so that the results change" },
];

export const APPROVAL_TRANSITIONS: readonly Transition<ApprovalStatus>[] = [
  { from: "none", to: "pending", when: "the dispatcher requests it" },
  { from: "pending", to: "decided", when: "a user decides" },
  { from: "pending", to: "expired", when: "its time is over" },
  { from: "pending", to: "withdrawn", when: "its step or plan ends or changes before a decision" },
];

/** Of the request for more budget. */
export const BUDGET_ASK_TRANSITIONS: readonly Transition<From<"open" | "refused">>[] = [
  { from: "none", to: "open", when: "a limit is reached, and the plan may ask for more" },
  { from: "open", to: "none", when: "a user raises the limit" },
  { from: "open", to: "refused", when: "a user refuses, or does not respond in time" },
];

/** Of an attempt's effect in the effect ledger. */
export const EFFECT_TRANSITIONS: readonly Transition<EffectRecord["status"]>[] = [
  { from: "none", to: "started", when: "the attempt starts" },
  { from: "none", to: "done", when: "a user confirms it, though no start is known" },
  { from: "started", to: "asked", when: "its loop asks for a call" },
  { from: ["started", "asked", "unknown"], to: "done", when: "the attempt succeeds, or a user confirms it" },
  { from: ["started", "asked", "unknown"], to: "failed", when: "the attempt fails" },
  { from: "started", to: "unknown", when: "the attempt ends without an outcome" },
  { from: "failed", to: "done", when: "a success arrives late" },
];

/** Of the effect of a call inside a loop. */
export const CALL_TRANSITIONS: readonly Transition<EffectRecord["status"]>[] = [
  { from: "none", to: "started", when: "the call starts" },
  { from: ["started", "unknown"], to: "done", when: "the call returns, or a user enters its output" },
  { from: "started", to: "failed", when: "the call fails" },
  { from: "started", to: "unknown", when: "the call ends without an outcome" },
];

/** Of the compensation of a step. */
export const UNDO_TRANSITIONS: readonly Transition<CompensationEntry["state"]["status"]>[] = [
  { from: "none", to: "waiting", when: "the plan fails or is cancelled, and other effects are undone first" },
  { from: "none", to: "running", when: "the plan fails or is cancelled" },
  { from: ["none", "waiting"], to: "awaiting-approval", when: "its turn has come, and it needs an approval" },
  { from: "waiting", to: "running", when: "its turn or its next attempt has come" },
  { from: "running", to: "succeeded", when: "it is done" },
  { from: "running", to: "failed", when: "it has failed, and has no attempt left" },
  { from: "running", to: "waiting", when: "it has failed, and will be retried later" },
  { from: "running", to: "awaiting-approval", when: "its outcome is unknown" },
  { from: "awaiting-approval", to: "running", when: "it is approved" },
  { from: "awaiting-approval", to: "succeeded", when: "a user confirms it, or its outcome arrives late" },
  { from: "awaiting-approval", to: "failed", when: "it is rejected, or its outcome arrives late" },
];
