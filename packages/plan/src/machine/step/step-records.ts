/** Records of a step's approvals, attempts and effects. */
import type { AskedCall, StepError } from "../../events/step-events.ts";
import type { StepOutput } from "../../events/values.ts";
import type { Json, JsonObject } from "../../values/json.ts";
import type { Effect } from "../../language/tool-spec.ts";

/** The state of a step that waits for one approval, or for an outcome that was presumed lost. */
export type AwaitingApproval = {
  readonly status: "awaiting-approval";
  readonly attempt: number;
  readonly approvalId: string;
  /** What the approval is about; with an unknown outcome, the attempt that may have acted. */
  readonly about:
    | {
        readonly kind: "tool-risk" | "confidence" | "question";
        /** Of a loop: the call that waits, not the step. */
        readonly call?: AskedCall;
      }
    | {
        readonly kind: "outcome-unknown";
        /** Of a loop: the call that may have acted, not the step. */
        readonly call?: AskedCall;
        readonly message: string;
        readonly workerId: string;
        readonly startedAt: string;
      };
};

/** The decision about a call inside a loop, kept until the call's turn is over. */
export type CallLeave = {
  readonly call: AskedCall;
  readonly approvalId: string;
  /** It may be made with these arguments and no others; absent when it may not. */
  readonly args?: JsonObject;
  /** It had taken effect before, and this is what it returned. */
  readonly output?: Json;
  /** By whom it was rejected, and why. */
  readonly rejected?: string;
  /** How often a decision about the call was requested. */
  readonly times: number;
};

/** An attempt that failed before the one that the step's state tells of. */
export type FailedAttempt = {
  readonly attempt: number;
  readonly error: StepError;
  readonly at: string;
  readonly retryAt: string;
};

/** What is known of the effect of one attempt; only of tools that change something. */
export type EffectRecord = {
  readonly attempt: number;
  readonly status: "started" | "asked" | "done" | "failed" | "unknown";
  /** When that became known. */
  readonly at: string;
  /** The worker that said so, or the person. */
  readonly by: string;
  /**
   * The output that arrived after the step had been abandoned, or "unknown" when its outcome is unknown. Only for effects
   * that have a compensation.
   */
  readonly late?: StepOutput | "unknown";
};

/** What is known of a call inside a loop that changes something. */
export type CallRecord = EffectRecord & {
  readonly turn: number;
  /** Position in a turn with several calls. */
  readonly call?: number;
  readonly thought: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** What its loop wanted, where a person has changed it. */
  readonly proposed?: JsonObject;
  readonly effect: Effect;
  /** The approval by which it was made once more. */
  readonly leave?: string;
};
