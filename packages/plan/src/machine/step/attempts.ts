/** Rules for attempts that apply to steps and compensations alike. */
import type { StepFailed, StepSucceeded } from "../../events/step-events.ts";
import type { RetryPolicy } from "../../language/plan-language.ts";
import type { ToolGrant, UnitId } from "../../events/values.ts";
import { RETRY_DELAY_MS, retryDelayMs } from "../../values/retry-delay.ts";
import type { StepId } from "../../values/ids.ts";
import type { FailedAttempt } from "../plan-state.ts";
import { LIMITS } from "../../values/limits.ts";
import { isOwnerTool } from "../../language/tool-names.ts";

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
 * Returns the record of a failed attempt, with the time of the next one.
 *
 * @param seed - Differs from the seeds of everything else that can fail at the same time.
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

/** The default number of attempts: an effect that must not happen twice gets one. */
const ATTEMPTS = { read: 3, idempotent: 3, once: 1 } as const;

/** A sub-plan has made its own retries: it is repeated only if the step says so. */
const OWNER_ATTEMPTS = 1;

type Retried = { readonly tool: string; readonly retry?: RetryPolicy | undefined };

/** Returns the maximum number of attempts of a step, not counting those for reviews and approvals. */
export function attemptsMaxOf({ tool, retry }: Retried, { effect }: ToolGrant): number {
  const usual = isOwnerTool(tool) ? OWNER_ATTEMPTS : ATTEMPTS[effect];
  return Math.min(retry?.maxAttempts ?? usual, LIMITS.attemptsMax);
}
