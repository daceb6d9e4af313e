/** What holds of attempts, of steps and of their compensations alike. */
import type { StepFailed, StepSucceeded } from "../../events/step-events.ts";
import type { Via } from "../../events/values.ts";
import type { RetryPolicy } from "../../language/plan-language.ts";
import { RETRY_DELAY_MS, retryDelayMs } from "../../values/retry-delay.ts";
import type { StepId } from "../../values/ids.ts";
import type { FailedAttempt } from "../plan-state.ts";

/** An attempt, and the way it came. */
export type AttemptRun<Id extends string = StepId> = {
  readonly stepId: Id;
  readonly attempt: number;
  readonly via?: Via | undefined;
};

/**
 * Returns the attempt whose work message caused an attempt: the attempt itself, the one that it followed, or the first
 * one of its bundle.
 */
export function broughtBy<Id extends string>({
  stepId,
  attempt,
  via,
  sentWith,
}: AttemptRun<Id> & { readonly sentWith?: Id | undefined }) {
  return via ?? { stepId: sentWith ?? stepId, attempt };
}

/** Whether two descriptions are of the same attempt, come the same way. */
export function isSameAttempt(
  left: Pick<AttemptRun, "attempt" | "via">,
  right: Pick<AttemptRun, "attempt" | "via">,
): boolean {
  return (
    left.attempt === right.attempt &&
    left.via?.stepId === right.via?.stepId &&
    left.via?.attempt === right.via?.attempt
  );
}

/**
 * A failed attempt, and when the next one is due.
 *
 * @param seed - Told apart from that of everything else that may fail at the same time.
 */
export function retryAfterFailure(
  { data, at }: Pick<StepFailed, "data" | "at">,
  seed: string,
  retry: RetryPolicy | undefined,
): FailedAttempt {
  const { attempt, error } = data;
  const baseMs = retry?.backoffMs ?? RETRY_DELAY_MS;
  const delayMs = retryDelayMs({ attempt, seed, baseMs, atLeastMs: data.retryAfterMs ?? 0 });
  return { attempt, error, at, retryAt: new Date(Date.parse(at) + delayMs).toISOString() };
}

export function endOf(
  data: Pick<StepSucceeded["data"], "attempt" | "workerId" | "startedAt" | "durationMs">,
  endedAt: string,
) {
  const { attempt, workerId, startedAt, durationMs } = data;
  return { attempt, workerId, startedAt, endedAt, durationMs };
}
