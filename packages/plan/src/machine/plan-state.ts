/** The state of a plan: the result of its log so far. Built only by `evolve`, and never changed in place. */
import type { PlanTally } from "../events/plan-tally.ts";
import type { Strategy } from "../language/plan-language.ts";
import type { BudgetState } from "./budget/budget-state.ts";
import type { PlanId, RunName, StepId } from "../values/ids.ts";
import type { List, Map, Set } from "immutable";
import type { ApprovalDecided, ApprovalRequested } from "../events/approval-events.ts";
import type { FeedbackGiven } from "../events/feedback-events.ts";
import type { GoalSubmitted } from "../events/control-events.ts";
import type { ModelTries } from "../events/model-events.ts";
import type { Deadline } from "../events/outcome-events.ts";
import type { Answer, ArtifactRef, Outcome, UnitId, Usage } from "../events/values.ts";
import type {
  AnswerCritiqueRecord,
  AnswerDrafts,
  Critique,
  CritiqueRecord,
} from "./review/critique-state.ts";
import type { Drafting, RevisionRecord, RevisionWanted, Search } from "./drafting/drafting-state.ts";
import type { Knowledge } from "./knowledge.ts";
import type { CompensationEntry, StepEntry } from "./step/step-state.ts";

export type { AwaitingApproval, EffectRecord, FailedAttempt } from "./step/step-records.ts";
export type {
  CompensationEntry,
  StepEntry,
  StepState,
  Turn,
  OpenTurn,
  WaitingFor,
} from "./step/step-state.ts";

export type PlanStatus =
  | "scheduled"
  | "planning"
  | "awaiting-approval"
  | "running"
  | "reflecting"
  | "paused"
  | "compensating"
  | "succeeded"
  | "partial"
  | "failed"
  | "cancelled";

export type Joining = {
  readonly number: number;
  readonly phase: "none" | "requested" | "done";
  readonly tries?: ModelTries;
};

export type Conclusion = {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly answer?: Answer;
  /** Whether the answer is in the log. If not, the dispatcher has to record it. */
  readonly answerRecorded: boolean;
};

/** An approval, which is decided by a user or expires. */
export type Approval = ApprovalRequested["data"] & {
  readonly requestedAt: string;
  readonly expiresAt: string;
  /** Absent while the approval is undecided; see `isPending`. */
  readonly decided?: Omit<ApprovalDecided["data"], "approvalId"> & {
    readonly at: string;
    readonly expired: boolean;
  };
};

/** No step that the drafts `from` to `to` have planned runs before this approval is given. */
export type PlanGate = { readonly approvalId: string; readonly from: number; readonly to: number };

export type Pause = {
  readonly reason: string;
  readonly by: string;
  readonly at: string;
  /** When the plan resumes automatically; absent if only a user can resume it. */
  readonly until?: string;
};

export type KnownPlan = {
  readonly status: PlanStatus;
  readonly planId: PlanId;
  /** How many events were accepted: the plan's own gap-free counter, from 1. */
  readonly seq: number;
  readonly submittedAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  readonly goal: GoalSubmitted["data"];
  /** How often the plan has been paused, and the current pause. */
  readonly pauses: number;
  readonly pause?: Pause;
  /** Consecutive pauses because the model server did not respond; absent if none. */
  readonly outages?: number;
  /** The start time; absent once the plan has started. */
  readonly startsAt?: string;
  readonly steps: Map<StepId, StepEntry>;
  /** The runs of repeated steps, one for each item; see runs.ts. */
  readonly items: Map<string, StepEntry>;
  readonly drafting: Drafting;
  readonly joining: Joining;
  /** The review of a whole draft that the plan waits for; absent if there is none. */
  readonly critique?: Critique;
  /** The reviews of the first draft and of its improvement; absent if there are none. */
  readonly planReviews?: readonly CritiqueRecord[];
  /** Only of plans whose answer is reviewed before it is given. */
  readonly answering?: AnswerDrafts;
  readonly answerReviews?: readonly AnswerCritiqueRecord[];
  readonly revision: number;
  /** Completed revisions, oldest first. */
  readonly revisions: readonly RevisionRecord[];
  /** Revision requests that no draft has handled yet. */
  readonly revisionsWanted: readonly RevisionWanted[];
  /** Why the plan ends once its running steps have ended: another revision is needed, and none is left. */
  readonly replansExceeded?: string;
  /** The tools that were offered to the first draft: later drafts get no others. */
  readonly toolsGranted?: readonly string[];
  /** Only of plans with the strategy `tree-search`. */
  readonly search?: Search;
  readonly answerFrom?: StepId;
  readonly reasoning?: string;
  readonly confidence?: number;
  /** The open approval of the plan; without meaning once the plan has ended or is about to end. */
  readonly planGate?: PlanGate;
  /** Sub-plans whose end has not been reported. */
  readonly subPlans: SubPlans;
  /** Dispatched and not settled. */
  readonly inFlight: number;
  /** The unfinished steps of each unit, by its name; see `step/units.ts`. */
  readonly units: Map<UnitId, Set<StepId>>;
  /** Maps each step that is named as a fallback, planned or not, to the step that names it. */
  readonly standIns: Map<StepId, StepId>;
  /** Ready, but beyond the limit of steps in flight, or held by a halted plan. */
  readonly queue: List<RunName>;
  /** Ready, but held until their draft is sealed and approved. */
  readonly held: List<StepId>;
  /** Failed steps whose dependents still have to be skipped. */
  readonly unskipped: Map<StepId, true>;
  /** Steps whose dependencies have ended, but for which the dispatcher still has to record that they do not run. */
  readonly undecided: Map<StepId, true>;
  readonly timers: Map<string, Timer>;
  /** The timer for the attempts with the earliest deadlines. */
  readonly watch?: { readonly timer: string; readonly at: string; readonly deadline: Deadline };
  /** How many such timers were set, how many have fired, and how many attempts have started. */
  readonly watches: number;
  readonly rounds: number;
  readonly starts: number;
  /** Steps that can be compensated, in the order in which they succeeded. */
  readonly undoable: List<StepId>;
  /** In the order in which they run; absent until the plan is about to fail or be cancelled. */
  readonly compensations?: List<CompensationEntry> | undefined;
  /** Compensations that are not settled, and steps that have to stop. */
  readonly undoing: number;
  readonly stopping: number;
  /** Every approval that was requested. The timers of pending approvals are not in `timers`. */
  readonly approvals: Map<string, Approval>;
  /** Steps whose output is under review; they are not in flight. */
  readonly judging: number;
  /** Steps that await an approval; they are not in flight. */
  readonly awaiting: number;
  /** Steps, items and compensations that count towards progress, and how many of them are settled. */
  readonly total: number;
  readonly done: number;
  /** Never decreases. */
  readonly percent: number;
  readonly usage: Usage;
  /** Absent if the plan has no budget. */
  readonly budget?: BudgetState;
  readonly artifacts: List<ArtifactRef>;
  readonly knowledge: Knowledge;
  /** The answer at the time a revision was requested, kept in case the revision fails. */
  readonly partialAnswer?: Answer;
  readonly conclusion?: Conclusion;
  /** The user's feedback on the ended plan. */
  readonly feedback?: FeedbackGiven["data"] & { readonly at: string };
  /** For the plan's metrics; absent until there are any. */
  readonly noted?: Noted;
  /** Why its log cannot be trusted; absent if no event is known to be missing. */
  readonly damage?: string;
  /** What the last event has changed. */
  readonly changes: Changes;
};

export type Plan = { readonly status: "absent" } | KnownPlan;

export const noPlan: Plan = { status: "absent" };

export function isEnded(plan: KnownPlan): boolean {
  return plan.endedAt !== undefined;
}

/** Whether the plan is halted: it sends no work and does not end, but work that was sent before can still report. */
export function isHalted({ pause, startsAt }: KnownPlan): boolean {
  return pause !== undefined || startsAt !== undefined;
}

/** The next state of a plan while an event is applied: changed in place, and not visible to other code until then. */
export type NextPlan = { -readonly [Key in keyof KnownPlan]: KnownPlan[Key] } & {
  changes: NextChanges;
  /** Linked steps that have ended or can end now: see `settle-ties.ts`. */
  ends?: StepId[];
};

/** What an event has changed; see changes.ts. */
export type Changes = {
  /** Runs that were added or whose state was set, in that order; a run can appear more than once. */
  readonly runs: readonly RunName[];
  /** Timers that were set, by name. */
  readonly timers: readonly string[];
  /** Outputs to process for facts, by `outputKey`. */
  readonly outputs: readonly string[];
  /** Lost steps, some of whose dependents have to be skipped. */
  readonly lost: readonly StepId[];
  /** Units that were created. */
  readonly units: readonly UnitId[];
  /** Whether workers might be doing work that is not needed any more. */
  readonly stop: boolean;
};

/** The changes of one event, while it is applied. */
export type NextChanges = {
  readonly runs: RunName[];
  readonly timers: string[];
  readonly outputs: string[];
  readonly lost: StepId[];
  readonly units: UnitId[];
  stop: boolean;
};

/** The attempt of a step that runs as a sub-plan. */
export type SubPlanRun = { readonly stepId: StepId; readonly item: number; readonly attempt: number };

export type SubPlan = SubPlanRun & {
  readonly planId: PlanId;
  /** Why it has to stop; absent while it is needed. */
  readonly stop?: string;
};

export type SubPlans = Map<string, SubPlan>;

/** What is kept only for a plan's metrics: no decision depends on it. */
export type Noted = {
  /** Of the first draft. */
  readonly strategy?: Strategy;
  /** When the first draft was complete. */
  readonly sealedAt?: string;
  /** The tally of the sub-plans that have ended, including their own sub-plans. */
  readonly subPlans?: PlanTally;
};

/** A point in time that a plan waits for. */
export type Timer =
  | (RunName & { readonly kind: "retry"; readonly at: string })
  | { readonly kind: "draft"; readonly at: string }
  | { readonly kind: "start"; readonly at: string }
  | { readonly kind: "sub-plans"; readonly at: string }
  /** Retries the model server: ends the pause with this number. */
  | { readonly kind: "model"; readonly pause: number; readonly at: string }
  | { readonly kind: "undo"; readonly stepId: StepId; readonly at: string };
