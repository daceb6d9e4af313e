/**
 * How the parts of a plan move from one status to another: all that one event may do, and why.
 *
 * An event may move a run more than once; what counts here is its status before and after. The status of the plan as a
 * whole follows from its parts: see status.ts.
 */
import type { KnownPlan, StepState } from "./plan-state.ts";
import type { CompensationEntry } from "./step/step-state.ts";

export type Transition<Status extends string> = {
  /** `none`: it was not part of the plan. */
  readonly from: Status | "none";
  readonly to: Status;
  readonly when: string;
};

/** Of a step, or of one of its runs for each item of a list. */
export const RUN_TRANSITIONS: readonly Transition<StepState["status"]>[] = [
  { from: "none", to: "waiting", when: "it is planned, and something that it needs is missing" },
  { from: "none", to: "running", when: "it is planned, and nothing that it needs is missing" },
  { from: "none", to: "awaiting-approval", when: "it is planned, and only a person has still to let it run" },
  { from: "none", to: "succeeded", when: "its plan is a fork, and it was done in the plan before" },
  { from: "none", to: "cancelled", when: "its list is read just when the plan ends" },
  { from: "waiting", to: "running", when: "what it waited for is there" },
  {
    from: "waiting",
    to: "awaiting-approval",
    when: "what it waited for is there, and a person has to let it run",
  },
  { from: "waiting", to: "repeating", when: "the list that it runs for is read" },
  {
    from: "waiting",
    to: "reviewing",
    when: "the list that it runs for is empty, and its output is to be checked",
  },
  { from: "waiting", to: "succeeded", when: "the list that it runs for is empty" },
  { from: "waiting", to: "failed", when: "its arguments, its condition or its list cannot be worked out" },
  { from: "waiting", to: "skipped", when: "something that it needs is lost, or it is not needed" },
  { from: "waiting", to: "cancelled", when: "it is not wanted any more" },
  { from: "running", to: "succeeded", when: "its output is accepted" },
  { from: "running", to: "reviewing", when: "its output is to be judged or verified" },
  { from: "running", to: "failed", when: "it has failed, and has no attempt left" },
  { from: "running", to: "waiting", when: "it has failed, and is tried again later" },
  { from: "running", to: "awaiting-approval", when: "its outcome is unknown, or it asks for a call" },
  { from: "running", to: "cancelled", when: "it is not wanted any more" },
  { from: "awaiting-approval", to: "running", when: "a person has let it run, or its late outcome has come" },
  { from: "awaiting-approval", to: "waiting", when: "a person has let it run, and there is no room yet" },
  {
    from: "awaiting-approval",
    to: "succeeded",
    when: "a person gives its output, or its late outcome has come",
  },
  { from: "awaiting-approval", to: "reviewing", when: "the same, and its output is to be checked" },
  { from: "awaiting-approval", to: "failed", when: "a person rejects it, or its late outcome has come" },
  { from: "awaiting-approval", to: "cancelled", when: "it is not wanted any more" },
  { from: "repeating", to: "succeeded", when: "its last item has ended" },
  { from: "repeating", to: "reviewing", when: "its last item has ended, and its output is to be checked" },
  { from: "repeating", to: "failed", when: "all its items have failed" },
  { from: "repeating", to: "cancelled", when: "it is not wanted any more" },
  { from: "reviewing", to: "succeeded", when: "its output is accepted, or the best of its outputs is kept" },
  { from: "reviewing", to: "failed", when: "its output is refused" },
  { from: "reviewing", to: "running", when: "its output is rejected, and it tries to do better" },
  { from: "reviewing", to: "waiting", when: "the same, and there is no room yet" },
  { from: "failed", to: "running", when: "its dead letter is retried" },
  { from: "failed", to: "waiting", when: "the same, and there is no room yet" },
  { from: "skipped", to: "waiting", when: "the dead letter of a step that it needs is retried" },
];

export const DRAFT_TRANSITIONS: readonly Transition<KnownPlan["drafting"]["phase"]>[] = [
  { from: "sealed", to: "requested", when: "a revision, or the next round of a search, is needed" },
  { from: "requested", to: "open", when: "a planner has begun to write it" },
  { from: "requested", to: "sealed", when: "the plan ends before it is written" },
  {
    from: "requested",
    to: "delayed",
    when: "the model has failed before it is begun, and is asked again later",
  },
  { from: "open", to: "sealed", when: "it is complete, or abandoned for good" },
  { from: "open", to: "reviewing", when: "it is complete, and is judged before it runs" },
  { from: "open", to: "requested", when: "it is written again, or the next one is needed" },
  { from: "open", to: "delayed", when: "the model has failed, and is asked again later" },
  { from: "delayed", to: "requested", when: "the time has come" },
  { from: "delayed", to: "sealed", when: "the plan ends before" },
  { from: "reviewing", to: "sealed", when: "it may run, or the plan ends" },
  { from: "reviewing", to: "requested", when: "it is rejected, and is improved" },
];

export const JOIN_TRANSITIONS: readonly Transition<KnownPlan["joining"]["phase"]>[] = [
  { from: "none", to: "requested", when: "everything has settled, and the results are to be put together" },
  { from: "done", to: "requested", when: "the same once more" },
  { from: "requested", to: "done", when: "an answer, a revision or a failure has come of it" },
  { from: "requested", to: "none", when: "a dead letter is retried, so that the results change" },
];

/** Of the compensation of a step. */
export const UNDO_TRANSITIONS: readonly Transition<CompensationEntry["state"]["status"]>[] = [
  { from: "none", to: "waiting", when: "the plan ends badly, and others are undone first" },
  { from: "none", to: "running", when: "the plan ends badly" },
  { from: "none", to: "awaiting-approval", when: "the plan ends badly, and a person has to let it run" },
  { from: "waiting", to: "running", when: "its turn, or the time of its next attempt, has come" },
  { from: "waiting", to: "awaiting-approval", when: "its turn has come, and a person has to let it run" },
  { from: "running", to: "succeeded", when: "it is done" },
  { from: "running", to: "failed", when: "it has failed, and has no attempt left" },
  { from: "running", to: "waiting", when: "it has failed, and is tried again later" },
  { from: "running", to: "awaiting-approval", when: "its outcome is unknown" },
  { from: "awaiting-approval", to: "running", when: "a person has let it run" },
  {
    from: "awaiting-approval",
    to: "succeeded",
    when: "a person says that it happened, or its late outcome has come",
  },
  { from: "awaiting-approval", to: "failed", when: "a person rejects it, or its late outcome has come" },
];
