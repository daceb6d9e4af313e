import { PlanId } from "@planwright/plan";
import type { Bus } from "../connect-bus.ts";
import { ALL_STOPS } from "../subjects/core-subjects.ts";

export type StopHints = Disposable & {
  /**
   * Calls `onHint` whenever a hint says that work for the plan may no longer be wanted, until the
   * returned function is called. A hint proves nothing: look at the plan.
   */
  watch(planId: PlanId, onHint: () => void): () => void;
  /** Whether there has been a hint for the plan; of the last 10,000 plans. */
  wasHinted(planId: PlanId): boolean;
};

const REMEMBERED_MAX = 10_000;

/** Listens for stop hints, with one subscription for all plans. */
export function watchStops(bus: Bus): StopHints {
  const hinted = new Set<PlanId>();
  const watching = new Map<string, Set<() => void>>();
  const subscription = bus.connection.subscribe(ALL_STOPS, {
    callback: (_error, { subject }) => {
      const planId = PlanId.safeParse(subject.split(".").at(-1));
      if (!planId.success) return;
      remember(hinted, planId.data);
      for (const onHint of watching.get(planId.data) ?? []) onHint();
    },
  });
  return {
    watch(planId, onHint) {
      const watchers = watching.get(planId) ?? new Set();
      watching.set(planId, watchers.add(onHint));
      return () => {
        watchers.delete(onHint);
        if (watchers.size === 0 && watching.get(planId) === watchers) watching.delete(planId);
      };
    },
    wasHinted: (planId) => hinted.has(planId),
    [Symbol.dispose]: () => subscription.unsubscribe(),
  };
}

/** The oldest goes when there are too many. */
function remember(hinted: Set<PlanId>, planId: PlanId): void {
  hinted.delete(planId);
  hinted.add(planId);
  if (hinted.size <= REMEMBERED_MAX) return;
  for (const oldest of hinted) {
    hinted.delete(oldest);
    return;
  }
}
