/** The state of one step, of one of its items, or of its compensation. */
import type { ModelTries } from "../../events/model-events.ts";
import type { StepError } from "../../events/step-events.ts";
import type { TurnStarted, TurnTaken } from "../../events/turn-events.ts";
import type { StepOutput, ToolGrant, UnitId } from "../../events/values.ts";
import type { PlanId, StepId } from "../../values/ids.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Compensation, Step } from "../../language/plan-language.ts";
import type { BestDraft, Feedback, Reviewing, ReviewRecord, Succeeded } from "../review/review-state.ts";
import type { AwaitingApproval, CallLeave, CallRecord, EffectRecord, FailedAttempt } from "./step-records.ts";
import type { ItemValue } from "../../arguments/resolve-references.ts";

/** Why a step is not running yet. */
export type WaitingFor =
  | "dependencies"
  /** The step that it is the fallback of has not ended. */
  | "primary"
  | "condition"
  | "items"
  | "turn"
  | "draft"
  /** The plan waits for approval. */
  | "approval"
  | "capacity"
  | "retry"
  | "budget"
  | "start"
  | "resume";

export type StepState =
  | { readonly status: "waiting"; readonly for: WaitingFor; readonly attempt: number }
  | {
      readonly status: "running";
      readonly attempt: number;
      /** The unit whose worker runs it; absent if it has a separate message. */
      readonly unit?: UnitId;
      /** The pause after which it was sent again, because its worker might have refused it; 0 at first. */
      readonly sentAfter: number;
      readonly startedAt?: string;
      readonly workerId?: string;
      readonly delivery?: number;
      /** Its number among the plan's starts, from 1; absent until it has started. */
      readonly start?: number;
      /** The plan is ending, and waits for the outcome of this step because its effect might need compensation. */
      readonly stopping?: { readonly reason: string; readonly at: string };
      /** It has exceeded its time-out, and its sub-plan was asked to stop. */
      readonly isOver?: true;
      /** Its model call's tries on a server that does not respond. */
      readonly tries?: ModelTries;
    }
  | AwaitingApproval
  /** It runs once for each item of a list: `begun` of `items` have been started, and `open` of those are not over. */
  | {
      readonly status: "repeating";
      readonly items: number;
      readonly begun: number;
      readonly open: number;
      readonly failed: number;
      readonly startedAt: string;
    }
  | Reviewing
  | Succeeded
  | (Settled & {
      readonly status: "failed";
      readonly error: StepError;
      /** The output that a verification refused. */
      readonly output?: StepOutput;
    })
  | {
      readonly status: "skipped";
      readonly because: StepId;
      readonly reason: string;
      /** It was not needed: its dependents continue without its output. */
      readonly passedOver?: true;
    }
  | { readonly status: "cancelled"; readonly reason: string };

const OPEN: readonly StepState["status"][] = [
  "waiting",
  "running",
  "awaiting-approval",
  "repeating",
  "reviewing",
];

export function isSettled(state: StepState): boolean {
  return !OPEN.includes(state.status);
}

/** Whether the dispatcher has to record the decision about the step before the step can continue. */
export function isUndecided(state: StepState): boolean {
  return state.status === "waiting" && (state.for === "condition" || state.for === "items");
}

/**
 * Whether a planning model can see the result of the step or of one of its items. It can also see facts from an output
 * under review.
 */
export function hasResult({ status }: StepState): boolean {
  return status === "succeeded" || status === "failed" || status === "reviewing" || status === "repeating";
}

export type Settled = {
  readonly attempt: number;
  readonly workerId: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
};

/** One call of a step that works in a loop, or a turn of it without a call. */
export type Turn = Omit<TurnTaken["data"], "stepId" | "item"> & { readonly at: string };

/** A turn of several calls, some of which have no outcome yet. */
export type OpenTurn = Omit<TurnStarted["data"], "stepId" | "item"> & { readonly at: string };

export type StepEntry = {
  readonly step: Step;
  readonly grant: ToolGrant;
  /** The tool policy of its compensation. */
  readonly compensateGrant?: ToolGrant;
  /** The draft that contains the step; 0 for a submitted plan. */
  readonly draft: number;
  /** The plan's `seq` when it was planned. */
  readonly plannedSeq: number;
  /** The plan's `seq` when it first had a result that a model can be shown; absent before. */
  readonly resultSeq?: number;
  /** Order of planning, from 0. */
  readonly position: number;
  readonly dependencies: readonly StepId[];
  readonly dependents: readonly StepId[];
  /** Dependencies that have not succeeded. */
  readonly unmet: number;
  readonly state: StepState;
  /** The unit that it is part of: the unit's worker runs the step as soon as its dependencies have succeeded. */
  readonly unit?: UnitId;
  /** How often a unit has returned it, and whether it is sent alone from then on; absent if none has. */
  readonly returned?: { readonly times: number; readonly alone: boolean };
  readonly failedAttempts: readonly FailedAttempt[];
  /** Oldest first. */
  readonly effects: readonly EffectRecord[];
  /** The arguments that a user approved; it runs with no others. */
  readonly approved?: { readonly approvalId: string; readonly args: JsonObject };
  /** The sub-plan that runs its last attempt. */
  readonly subPlan?: PlanId;
  /** It was carried over from the plan that this one was forked from. */
  readonly carried?: true;
  /** Set if this is the run of a repeated step for one item. */
  readonly item?: { readonly index: number; readonly value: ItemValue };
  /** The steps that verify its output. */
  readonly verifiedBy?: readonly StepId[];
  /** It has an output that the steps that verify it can read. */
  readonly shown?: true;
  /** It has failed, and its fallback has delivered, or will not (`none`). Absent until that is known. */
  readonly standIn?: { readonly by: StepId } | "none";
  /** It has failed as a verification, and the step that it verifies failed with it: it has no other consequences. */
  readonly excused?: true;
  /** A later draft has replaced it: its output is not missing. */
  readonly replaced?: true;
  /** Oldest first; absent if there was no review. */
  readonly reviews?: readonly ReviewRecord[];
  readonly best?: BestDraft;
  /** For the next attempt. */
  readonly feedback?: Feedback;
  /** Of a step that works in a loop: its outcomes, in the order of the calls. */
  readonly turns?: readonly Turn[];
  /** Absent unless a turn of several calls is in progress. */
  readonly openTurn?: OpenTurn;
  /** A user's decision about its next call. */
  readonly leave?: CallLeave;
  /** How often approval of a call in its loop was requested; absent if never. Each request adds an attempt. */
  readonly asked?: number;
  /** Its calls that have an effect, oldest first. */
  readonly calls?: readonly CallRecord[];
  /** How many of its attempts ended because the model server did not respond, and were repeated; absent if none. */
  readonly outages?: number;
  /** The failed tries of its last attempt on its model server; absent if it failed for another reason. */
  readonly tried?: ModelTries;
  /** How often it was reopened by a redrive; absent if never. */
  readonly redriven?: number;
};

/** The compensation of one step, which runs before the plan ends. */
export type CompensationEntry = {
  readonly stepId: StepId;
  readonly compensate: Compensation;
  readonly grant: ToolGrant;
  /** The arguments that a user approved, as required by the installation's policy; it runs with no others. */
  readonly approved?: { readonly approvalId: string; readonly args: JsonObject };
  readonly state:
    | { readonly status: "waiting"; readonly for: "turn" | "retry"; readonly attempt: number }
    | Extract<StepState, { status: "running" | "awaiting-approval" | "succeeded" | "failed" }>;
  readonly failedAttempts: readonly FailedAttempt[];
  /** Oldest first. */
  readonly effects: readonly EffectRecord[];
};
