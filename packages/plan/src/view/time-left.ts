/** What is left of an estimate that a view carries, at any later moment. */
import type { PlanView } from "./plan-view.ts";

/** An estimate that has run out by more than this share of itself was wrong, and is no longer shown. */
const OVERRUN_SHARE = 0.5;
const OVERRUN_MIN_MS = 2_000;

/**
 * Milliseconds until the plan is expected to end, counted down from when the view was made. Null where the view has no
 * estimate, the plan has ended, or the estimate has clearly run out.
 *
 * @param nowMs - By the clock of the view's server, as milliseconds since the epoch.
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
