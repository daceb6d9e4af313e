/** What holds of attempts, of steps and of their compensations alike. */
import type { StepFailed, StepSucceeded } from "../../events/step-events.ts";
import type { RetryPolicy } from "../../language/plan-language.ts";
import type { UnitId } from "../../events/values.ts";
import { RETRY_DELAY_MS, retryDelayMs } from "../../values/retry-delay.ts";
import type { StepId } from "../../values/ids.ts";
import type { FailedAttempt } from "../plan-state.ts";

/** An attempt, and the unit that it was sent in; absent if it was sent alone. */
export type AttemptRun = {
  readonly stepId: StepId;
  readonly attempt: number;
  readonly unit?: UnitId | undefined;
};

/** Whether two descriptions are of the same attempt, sent in the same way. */
export function isSameAttempt(
  left: Pick<AttemptRun, "attempt" | "unit">,
  right: Pick<AttemptRun, "attempt" | "unit">,
): boolean {
  return left.attempt === right.attempt && left.unit === right.unit;
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
