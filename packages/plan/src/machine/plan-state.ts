/** The state of a plan: what its log says so far. Built only by `evolve`, and never changed in place. */
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
  /** The answer is in the log; before that, the dispatcher has to record it. */
  readonly answerRecorded: boolean;
};

/** Something that a person decides, or time. */
export type Approval = ApprovalRequested["data"] & {
  readonly requestedAt: string;
  readonly expiresAt: string;
  /** Absent while the approval is undecided; see `isPending`. */
  readonly decided?: Omit<ApprovalDecided["data"], "approvalId"> & {
    readonly at: string;
    readonly expired: boolean;
  };
};

/** Nothing that the drafts `from` to `to` have planned runs before the approval is given. */
export type PlanGate = { readonly approvalId: string; readonly from: number; readonly to: number };

export type Pause = {
  readonly reason: string;
  readonly by: string;
  readonly at: string;
  /** When the plan resumes by itself; absent when a person has to resume it. */
  readonly until?: string;
};

export type KnownPlan = {
  readonly status: PlanStatus;
  readonly planId: PlanId;
  /** How many facts were accepted: the plan's own gap-free counter, from 1. */
  readonly seq: number;
  readonly submittedAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  readonly goal: GoalSubmitted["data"];
  /** How often the plan has been paused, and the pause that it is in. */
  readonly pauses: number;
  readonly pause?: Pause;
  /** Pauses in a row for a model server that did not answer; absent when there is none. */
  readonly outages?: number;
  /** When it is to start, as long as it has not. */
  readonly startsAt?: string;
  readonly steps: Map<StepId, StepEntry>;
  /** The runs of steps that run for each of a list; see runs.ts. */
  readonly items: Map<string, StepEntry>;
  readonly drafting: Drafting;
  readonly joining: Joining;
  /** A judgement of a whole draft that the plan waits for; absent when it waits for none. */
  readonly critique?: Critique;
  /** What was said of the first draft and its improvement; absent when nothing was. */
  readonly planReviews?: readonly CritiqueRecord[];
  /** Only of plans whose answer is judged before it is given. */
  readonly answering?: AnswerDrafts;
  readonly answerReviews?: readonly AnswerCritiqueRecord[];
  readonly revision: number;
  /** Completed revisions, oldest first. */
  readonly revisions: readonly RevisionRecord[];
  /** What no draft has taken in yet. */
  readonly revisionsWanted: readonly RevisionWanted[];
  /** Why the plan ends once what has started has ended: another revision is needed, and none is left. */
  readonly replansExceeded?: string;
  /** The tools that were offered to its first draft: no later one gets others. */
  readonly toolsGranted?: readonly string[];
  /** Only of plans by the strategy `tree-search`. */
  readonly search?: Search;
  readonly answerFrom?: StepId;
  readonly reasoning?: string;
  readonly confidence?: number;
  /** What a person has to see first; of an ended plan, or one that is about to end, it means nothing. */
  readonly planGate?: PlanGate;
  /** Those whose end has not come back. */
  readonly subPlans: SubPlans;
  /** Dispatched and not settled. */
  readonly inFlight: number;
  /** The steps of each unit that are not over, by its name; see `step/units.ts`. */
  readonly units: Map<UnitId, Set<StepId>>;
  /** By the step that is named as a fallback, planned or not, the step that names it. */
  readonly standIns: Map<StepId, StepId>;
  /** Ready, but over the limit of steps in flight, or of a plan that is halted. */
  readonly queue: List<RunName>;
  /** Ready, but kept back until their draft is sealed, and approved. */
  readonly held: List<StepId>;
  /** Failed steps whose dependents have still to be skipped. */
  readonly unskipped: Map<StepId, true>;
  /** Steps of which it is still to be recorded that they do not run, though their dependencies are over. */
  readonly undecided: Map<StepId, true>;
  readonly timers: Map<string, Timer>;
  /** The timer of the attempts that have to be over first. */
  readonly watch?: { readonly timer: string; readonly at: string; readonly deadline: Deadline };
  /** How many such timers were set, and how many have fired; and how often an attempt has started. */
  readonly watches: number;
  readonly rounds: number;
  readonly starts: number;
  /** Steps that can be undone, in the order in which they succeeded. */
  readonly undoable: List<StepId>;
  /** In the order in which they run; absent until the plan is about to end badly. */
  readonly compensations?: List<CompensationEntry> | undefined;
  /** Compensations that are not settled, and steps that have to stop. */
  readonly undoing: number;
  readonly stopping: number;
  /** Every approval that was requested; the timers of those that are pending are not among `timers`. */
  readonly approvals: Map<string, Approval>;
  /** Steps whose output is being judged; they are not in flight. */
  readonly judging: number;
  /** Steps that await an approval; they are not in flight. */
  readonly awaiting: number;
  /** Steps, items and compensations that count towards progress, and those of them that are settled. */
  readonly total: number;
  readonly done: number;
  /** Never falls. */
  readonly percent: number;
  readonly usage: Usage;
  /** Absent when the plan has no budget. */
  readonly budget?: BudgetState;
  readonly artifacts: List<ArtifactRef>;
  readonly knowledge: Knowledge;
  /** The answer as it stood when a revision was asked for: kept in case the revision fails. */
  readonly partialAnswer?: Answer;
  readonly conclusion?: Conclusion;
  /** The user's feedback on the ended plan. */
  readonly feedback?: FeedbackGiven["data"] & { readonly at: string };
  /** For the plan's metrics; absent until there are any. */
  readonly noted?: Noted;
  /** Why its log cannot be trusted; absent when nothing is known to be missing. */
  readonly damage?: string;
  /** What the last event has changed. */
  readonly changes: Changes;
};

export type Plan = { readonly status: "absent" } | KnownPlan;

export const noPlan: Plan = { status: "absent" };

export function isEnded(plan: KnownPlan): boolean {
  return plan.endedAt !== undefined;
}

/** Whether the plan is halted: it sends no work and does not end, but work that was sent before may still report. */
export function isHalted({ pause, startsAt }: KnownPlan): boolean {
  return pause !== undefined || startsAt !== undefined;
}

/** The next state of a plan, while an event is taken in: changed in place, and seen by no one else until it is done. */
export type NextPlan = { -readonly [Key in keyof KnownPlan]: KnownPlan[Key] } & {
  changes: NextChanges;
  /** Steps that have ended, or may now, and that others are tied to: see `settle-ties.ts`. */
  ends?: StepId[];
};

/** What an event has changed; see changes.ts. */
export type Changes = {
  /** Runs that were added or whose state was set, in that order; one may be named more than once. */
  readonly runs: readonly RunName[];
  /** Timers that were set, by name. */
  readonly timers: readonly string[];
  /** Outputs that are to be searched for facts, by `outputKey`. */
  readonly outputs: readonly string[];
  /** Lost steps, some of whose dependents have to be skipped. */
  readonly lost: readonly StepId[];
  /** Units that were made. */
  readonly units: readonly UnitId[];
  /** Work that a worker has in hand may not be wanted any more. */
  readonly stop: boolean;
};

/** The changes of one event, while it is taken in. */
export type NextChanges = {
  readonly runs: RunName[];
  readonly timers: string[];
  readonly outputs: string[];
  readonly lost: StepId[];
  readonly units: UnitId[];
  stop: boolean;
};

/** The attempt of a step that a sub-plan runs for. */
export type SubPlanRun = { readonly stepId: StepId; readonly item: number; readonly attempt: number };

export type SubPlan = SubPlanRun & {
  readonly planId: PlanId;
  /** Why it has to stop; absent while it is needed. */
  readonly stop?: string;
};

export type SubPlans = Map<string, SubPlan>;

/** What is kept for a plan's figures alone: nothing is decided by it. */
export type Noted = {
  /** Of the first draft. */
  readonly strategy?: Strategy;
  /** When the first draft was complete. */
  readonly sealedAt?: string;
  /** Of the sub-plans that have ended, and theirs. */
  readonly subPlans?: PlanTally;
};

/** What a plan waits for that time brings. */
export type Timer =
  | (RunName & { readonly kind: "retry"; readonly at: string })
  | { readonly kind: "draft"; readonly at: string }
  | { readonly kind: "start"; readonly at: string }
  | { readonly kind: "sub-plans"; readonly at: string }
  /** The model server is tried again: it ends the pause that it names. */
  | { readonly kind: "model"; readonly pause: number; readonly at: string }
  | { readonly kind: "undo"; readonly stepId: StepId; readonly at: string };
