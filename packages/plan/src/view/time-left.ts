/** The rest of a view's estimate at any later time. */
import type { PlanView } from "./plan-view.ts";

/** An estimate that is exceeded by more than this share was wrong, and is no longer shown. */
const OVERRUN_SHARE = 0.5;
const OVERRUN_MIN_MS = 2_000;

/**
 * Milliseconds until the plan is expected to end, counted down from the creation of the view. Null if the view has no estimate,
 * the plan has ended, or the estimate was clearly exceeded.
 *
 * @param nowMs - The current time of the view's server in milliseconds since the epoch.
 */
export function timeLeftMs(
  { progress: { etaMs }, endedAt, viewedAt }: Pick<PlanView, "progress" | "endedAt" | "viewedAt">,
  nowMs: number,
): number | null {
  if (etaMs === null || endedAt !== undefined) return null;
  if (viewedAt === undefined) return etaMs;
  const leftMs = etaMs - Math.max(0, nowMs - Date.parse(viewedAt));
  return leftMs < -Math.max(OVERRUN_MIN_MS, OVERRUN_SHARE * etaMs) ? null : Math.max(0, leftMs);
}
