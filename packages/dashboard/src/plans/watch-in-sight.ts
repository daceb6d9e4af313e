import type { PlanSummary } from "../api/api-types.ts";
import type { Live } from "@planwright/client";

/** More watches than a screen has rows would be of no use. */
const WATCHES_MAX = 20;

export type InSight = {
  /** The plans in sight: the open ones of them are watched, others not any more. */
  readonly look: (plans: readonly PlanSummary[]) => void;
  readonly stop: () => void;
};

/** @param onFact - Something has happened in a plan in sight. */
export function watchInSight(live: Pick<Live, "watch">, onFact: (planId: string) => void): InSight {
  const watches = new Map<string, () => void>();
  const keepOnly = (wanted: ReadonlySet<string>): void => {
    for (const [planId, unwatch] of watches) {
      if (wanted.has(planId)) continue;
      unwatch();
      watches.delete(planId);
    }
  };
  return {
    look(plans) {
      const open = plans.filter(({ ended }) => !ended).slice(0, WATCHES_MAX);
      const wanted = new Set(open.map(({ planId }) => planId));
      keepOnly(wanted);
      for (const planId of wanted) {
        if (watches.has(planId)) continue;
        const hear = () => onFact(planId);
        watches.set(planId, live.watch(planId, undefined, { onEvent: hear, onBehind: hear }));
      }
    },
    stop: () => keepOnly(new Set()),
  };
}
