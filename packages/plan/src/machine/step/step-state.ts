/** The state of one step, of one item, or of what undoes a step. */
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
  /** A person has still to let the plan run. */
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
      /** The unit whose worker runs it; absent when it has a separate message. */
      readonly unit?: UnitId;
      /** The pause after which it was sent again, because its worker may have been refused; 0 at first. */
      readonly sentAfter: number;
      readonly startedAt?: string;
      readonly workerId?: string;
      readonly delivery?: number;
      /** Which of the plan's starts it is, from 1; absent until it has started. */
      readonly start?: number;
      /** The plan ends, and waits to be told how the step does, because its effect would have to be undone. */
      readonly stopping?: { readonly reason: string; readonly at: string };
      /** Its time is over: its sub-plan was told to stop. */
      readonly isOver?: true;
      /** How far its model call has come in its limits for a server that does not answer. */
      readonly tries?: ModelTries;
    }
  | AwaitingApproval
  /** It runs once for each of a list: `begun` of `items` have been started, `open` of these are not over. */
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
      /** What it delivered, and a check refused. */
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
 * Whether a model that plans may see what the step, or one of its items, has come to. It may also see facts from an
 * output under review.
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

/** A turn of several calls of which some have no outcome. */
export type OpenTurn = Omit<TurnStarted["data"], "stepId" | "item"> & { readonly at: string };

export type StepEntry = {
  readonly step: Step;
  readonly grant: ToolGrant;
  /** Of the tool that undoes it. */
  readonly compensateGrant?: ToolGrant;
  /** The draft that contains the step; 0 for a submitted plan. */
  readonly draft: number;
  /** The plan's `seq` when it was planned. */
  readonly plannedSeq: number;
  /** The plan's `seq` when it first had a result that a model may be shown; absent before. */
  readonly resultSeq?: number;
  /** Order of planning, from 0. */
  readonly position: number;
  readonly dependencies: readonly StepId[];
  readonly dependents: readonly StepId[];
  /** Dependencies that have not succeeded. */
  readonly unmet: number;
  readonly state: StepState;
  /** The unit that it is part of: its worker runs the step as soon as nothing that it needs is missing. */
  readonly unit?: UnitId;
  /** How often a unit has returned it, and whether it is sent alone from then on. Absent if none has. */
  readonly returned?: { readonly times: number; readonly alone: boolean };
  readonly failedAttempts: readonly FailedAttempt[];
  /** Oldest first. */
  readonly effects: readonly EffectRecord[];
  /** What a person has let run: these arguments and no others. */
  readonly approved?: { readonly approvalId: string; readonly args: JsonObject };
  /** What its last attempt handed the work to. */
  readonly subPlan?: PlanId;
  /** It was done in the plan that this one was forked from. */
  readonly carried?: true;
  /** It is one run of a step that runs for each of a list. */
  readonly item?: { readonly index: number; readonly value: ItemValue };
  /** The steps that check its output. */
  readonly verifiedBy?: readonly StepId[];
  /** It has delivered, and those that check it have what they need of it. */
  readonly shown?: true;
  /** It has failed, and its fallback has delivered, or will not. Absent as long as that is open. */
  readonly standIn?: { readonly by: StepId } | "none";
  /** It has failed as a check, so that the step that it checks has failed: nothing more follows from it. */
  readonly excused?: true;
  /** A later draft has taken its place: what it did not deliver is not missing. */
  readonly replaced?: true;
  /** Oldest first; absent when nothing of it was judged. */
  readonly reviews?: readonly ReviewRecord[];
  readonly best?: BestDraft;
  /** For the next attempt. */
  readonly feedback?: Feedback;
  /** Of a step that thinks, acts and observes in a loop: what has an outcome, in the order of its calls. */
  readonly turns?: readonly Turn[];
  /** Absent while no turn of several calls is under way. */
  readonly openTurn?: OpenTurn;
  /** What a person has decided of its next call. */
  readonly leave?: CallLeave;
  /** How often a person was asked about a call of its loop; absent when never. Each is an attempt more. */
  readonly asked?: number;
  /** Its calls that change something, oldest first. */
  readonly calls?: readonly CallRecord[];
  /** How many of its attempts ended because the model server did not answer, and are made again; absent when none. */
  readonly outages?: number;
  /** How far its last attempt had come in the limits for a model server that fails; absent when it failed otherwise. */
  readonly tried?: ModelTries;
  /** How often it runs again, or waits again, after a redrive; absent when never. */
  readonly redriven?: number;
};

/** One step that is undone before its plan ends. */
export type CompensationEntry = {
  readonly stepId: StepId;
  readonly compensate: Compensation;
  readonly grant: ToolGrant;
  /** What a reviewer has let run, because the installation's policy requires it: these arguments and no others. */
  readonly approved?: { readonly approvalId: string; readonly args: JsonObject };
  readonly state:
    | { readonly status: "waiting"; readonly for: "turn" | "retry"; readonly attempt: number }
    | Extract<StepState, { status: "running" | "awaiting-approval" | "succeeded" | "failed" }>;
  readonly failedAttempts: readonly FailedAttempt[];
  /** Oldest first. */
  readonly effects: readonly EffectRecord[];
};
