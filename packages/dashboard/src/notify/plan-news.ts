/**
 * Derives notifications from changes of the list of plans.
 *
 * Invariants:
 *   NEWS-1. A plan is news when it begins to need approval, and once when it ends.
 *   NEWS-2. Approvals and ends from before the page was opened are no news.
 */
import type { PlanSummary } from "../api/api-types.ts";

export type PlanNews = {
  readonly approvals: readonly PlanSummary[];
  readonly ended: readonly PlanSummary[];
};

type NewsReader = {
  /** Takes plans that have changed. */
  readonly take: (changed: readonly PlanSummary[]) => PlanNews;
  /** Takes all plans that need approval now. Those of the first call are no news. */
  readonly takeWaiting: (waiting: readonly PlanSummary[]) => PlanNews;
};

type NewsReaderOptions = {
  /** When the page was opened, in milliseconds since the epoch. */
  readonly openedAtMs: number;
  /** Whether the user wants to hear that this plan has ended. */
  readonly isOfUser: (plan: PlanSummary) => boolean;
};

const ENDED_MAX = 1_000;

export function createNewsReader({ openedAtMs, isOfUser }: NewsReaderOptions): NewsReader {
  let waiting: ReadonlySet<string> | undefined;
  const open = new Set<string>();
  /** Plans that have ended and may change again, such as by a rating. */
  const ended = new Set<string>();

  const isNewEnd = ({ planId, endedAt }: PlanSummary): boolean => {
    if (endedAt === undefined || ended.has(planId)) return false;
    remember(ended, planId);
    return open.delete(planId) || Date.parse(endedAt) >= openedAtMs;
  };
  return {
    take(changed) {
      const before = waiting ?? new Set();
      const now = new Set(before);
      for (const { planId, needsApproval = false, ended: isEnded } of changed) {
        if (needsApproval) now.add(planId);
        else now.delete(planId);
        if (!isEnded) open.add(planId);
      }
      waiting = now;
      return {
        approvals: changed.filter(({ planId }) => now.has(planId) && !before.has(planId)),
        // A parent says how its sub-plans have ended.
        ended: changed.filter((plan) => isNewEnd(plan) && plan.parent === undefined && isOfUser(plan)),
      };
    },
    takeWaiting(plans) {
      const before = waiting;
      waiting = new Set(plans.map(({ planId }) => planId));
      return {
        approvals: before === undefined ? [] : plans.filter(({ planId }) => !before.has(planId)),
        ended: [],
      };
    },
  };
}

/** The oldest is forgotten first. */
function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > ENDED_MAX && oldest !== undefined) ids.delete(oldest);
}
