/**
 * What happens to a plan whose model server does not respond.
 *
 * Invariants:
 *   OUTAGE-1. A plan in which no step has succeeded is not paused: the failure is final.
 *   OUTAGE-2. A plan is paused at most `LIMITS.modelPausesMax` times in a row, each time longer than before. When a
 *       user resumes it, the count starts again.
 */
import type { NextPlan } from "./plan-state.ts";
import type { ModelTries } from "../events/model-events.ts";
import { LIMITS } from "../values/limits.ts";
import { RETRY_AFTER_MS_MAX } from "../values/retry-delay.ts";
import { setTimer, dropTimer } from "./changes.ts";
import { MODEL_SERVER_FAILURES } from "../values/codes.ts";

const TIMER = "model-";
const PAUSE_MS = 30_000;
const PAUSE_MS_MAX = 900_000;
const REASON_CHARS_MAX = 2_000;

/** The `by` of a pause that no user requested. */
export const PAUSED_BY_PLAN = "planwright";

type Outage = {
  /** Without a full stop. */
  readonly message: string;
  readonly at: string;
  /** How long the server asked clients to wait. */
  readonly retryAfterMs?: number | undefined;
};

/**
 * Pauses the plan until a timer or a user resumes it, unless it is already paused.
 *
 * @returns False if the failed work is not to be retried.
 */
export function pauseForModel(next: NextPlan, { message, at, retryAfterMs = 0 }: Outage): boolean {
  if (next.conclusion !== undefined || !hasResult(next)) return false;
  if (next.pause !== undefined) return true;
  const outages = next.outages ?? 0;
  if (outages >= LIMITS.modelPausesMax) return false;
  const backoffMs = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** outages);
  const delayMs = Math.max(backoffMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
  const until = new Date(Date.parse(at) + delayMs).toISOString();
  const timer = `${TIMER}${next.pauses + 1}`;
  next.outages = outages + 1;
  next.pauses += 1;
  next.pause = { reason: message.slice(0, REASON_CHARS_MAX), by: PAUSED_BY_PLAN, at, until };
  setTimer(next, timer, { kind: "model", pause: next.pauses, at: until });
  return true;
}

/** Called when a user resumes the plan: cancels the timer, and allows the full number of pauses again. */
export function forgetOutage(next: NextPlan): void {
  delete next.outages;
  dropTimer(next, `${TIMER}${next.pauses}`);
}

/**
 * Returns the tries that a piece of work continues with when it is repeated; none if the server has responded or the
 * plan has waited for it.
 */
export function triesKept(
  cause: string | undefined,
  tries: ModelTries | undefined,
): { readonly tries?: ModelTries } {
  return cause === "interrupted" && tries !== undefined ? { tries } : {};
}

/** Returns why a plan has no results if its model server is the cause: a review would run into the same failure. */
export function modelFailureOf(next: NextPlan): string | undefined {
  if (hasResult(next)) return undefined;
  for (const { step, state } of next.steps.values()) {
    if (state.status === "failed" && MODEL_SERVER_FAILURES.has(state.error.code)) {
      return `step ${step.id} failed: ${state.error.message}`;
    }
  }
  return undefined;
}

function hasResult({ steps }: NextPlan): boolean {
  for (const { state } of steps.values()) {
    if (state.status === "succeeded" || state.status === "reviewing") return true;
  }
  return false;
}

/** Whether a report is newer: a redelivery that starts over does not reset the number that users see. */
export function isNewer(last: ModelTries | undefined, tries: ModelTries): boolean {
  return last === undefined || tries.report > last.report;
}
