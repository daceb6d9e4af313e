/**
 * What becomes of a plan whose model server does not answer.
 *
 * Invariants:
 *   OUTAGE-1. A plan in which no step has succeeded is not paused: the failure stands.
 *   OUTAGE-2. A plan is paused at most `LIMITS.modelPausesMax` times in a row, each longer than the one before;
 *       a person who resumes it starts the count again.
 */
import type { NextPlan } from "./plan-state.ts";
import { MODEL_SERVER_FAILURES, type ModelTries } from "../events/model-events.ts";
import { LIMITS } from "../values/limits.ts";
import { RETRY_AFTER_MS_MAX } from "../values/retry-delay.ts";
import { setTimer, dropTimer } from "./changes.ts";

const TIMER = "model-";
const PAUSE_MS = 30_000;
const PAUSE_MS_MAX = 900_000;
const REASON_CHARS_MAX = 2_000;

/** Who a pause is by that no person asked for. */
export const PAUSED_BY_PLAN = "planwright";

type Outage = {
  /** Without a full stop. */
  readonly message: string;
  readonly at: string;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
};

/**
 * Pauses the plan until a timer or a person resumes it, unless it is paused already.
 *
 * @returns False when the work that failed is not to be tried again.
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

/** A person resumes the plan: the timer is not awaited any more, and the server gets its full number of chances. */
export function forgetOutage(next: NextPlan): void {
  delete next.outages;
  dropTimer(next, `${TIMER}${next.pauses}`);
}

/** The tries that a piece of work continues with when it is done again; none when the server has answered, or was waited for. */
export function triesKept(
  cause: string | undefined,
  tries: ModelTries | undefined,
): { readonly tries?: ModelTries } {
  return cause === "interrupted" && tries !== undefined ? { tries } : {};
}

/** Why a plan has no results, when the cause is its model server: judging what there is would meet it too. */
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
