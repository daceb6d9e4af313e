/** What holds of attempts, of steps and of their compensations alike. */
import type { StepFailed, StepSucceeded } from "../events/step-events.ts";
import type { ToolGrant } from "../events/values.ts";
import { LIMITS } from "../limits.ts";
import type { RetryPolicy } from "../plan-language.ts";
import { RETRY_DELAY_MS, retryDelayMs } from "../retry-delay.ts";
import type { FailedAttempt } from "./plan-state.ts";

/** Attempts in all, unless the step says otherwise: an effect that must not happen twice gets one. */
const ATTEMPTS = { read: 3, idempotent: 3, once: 1 } as const;

type Retried = { readonly retry?: RetryPolicy | undefined };

export function attemptsMaxOf({ retry }: Retried, { effect }: ToolGrant): number {
  return Math.min(retry?.maxAttempts ?? ATTEMPTS[effect], LIMITS.attemptsMax);
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
