/** What is kept of what became of a step. */
import type { StepError } from "../events/step-events.ts";
import type { JsonObject } from "../json.ts";
import type { Effect } from "../tool-spec.ts";

/** Whoever waits is let go by one approval, or by the outcome that was thought lost. */
export type AwaitingApproval = {
  readonly status: "awaiting-approval";
  readonly attempt: number;
  readonly approvalId: string;
  /** What the approval is about; with an unknown outcome, the attempt that may have acted. */
  readonly about:
    | { readonly kind: "tool-risk" | "confidence" | "question" }
    | {
        readonly kind: "outcome-unknown";
        readonly message: string;
        readonly workerId: string;
        readonly startedAt: string;
      };
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
  readonly status: "started" | "done" | "failed" | "unknown";
  /** When that became known. */
  readonly at: string;
  /** The worker that said so, or the person. */
  readonly by: string;
};

/** What is known of a call inside a loop that changes something. */
export type CallRecord = EffectRecord & {
  readonly turn: number;
  readonly thought: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly effect: Effect;
};
