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
  /** What the approval is about; if the outcome is unknown, the attempt that may have taken effect. */
  readonly about:
    | {
        readonly kind: "tool-risk" | "confidence" | "question";
        /** Of a loop: the call that needs approval, instead of the step. */
        readonly call?: AskedCall;
      }
    | {
        readonly kind: "outcome-unknown";
        /** Of a loop: the call that may have taken effect, instead of the step. */
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
  /** The only arguments that it may be made with; absent if it may not be made. */
  readonly args?: JsonObject;
  /** The output of a call that had already taken effect. */
  readonly output?: Json;
  /** Who rejected it, and why. */
  readonly rejected?: string;
  /** How often a decision about the call was requested. */
  readonly times: number;
};

/** A failed attempt before the one in the step's state. */
export type FailedAttempt = {
  readonly attempt: number;
  readonly error: StepError;
  readonly at: string;
  readonly retryAt: string;
};

/** The known state of one attempt's effect; only for tools that change something. */
export type EffectRecord = {
  readonly attempt: number;
  readonly status: "started" | "asked" | "done" | "failed" | "unknown";
  /** When the status became known. */
  readonly at: string;
  /** The worker or user that reported it. */
  readonly by: string;
  /**
   * The output that arrived after the step had been abandoned, or "unknown" when its outcome is unknown. Only for effects
   * that have a compensation.
   */
  readonly late?: StepOutput | "unknown";
};

/** The known state of a call inside a loop that changes something. */
export type CallRecord = EffectRecord & {
  readonly turn: number;
  /** Position in a turn with several calls. */
  readonly call?: number;
  readonly thought: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** The arguments that its loop requested, if a user changed them. */
  readonly proposed?: JsonObject;
  readonly effect: Effect;
  /** The approval by which it was repeated. */
  readonly leave?: string;
};
