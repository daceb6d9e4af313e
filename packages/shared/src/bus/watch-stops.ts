import { PlanId } from "@planwright/plan";
import type { Bus } from "./connect-bus.ts";
import { ALL_STOPS } from "./subjects.ts";

export type StopHints = Disposable & {
  /**
   * Calls `onHint` whenever somebody says that work for the plan may no longer be wanted, until the
   * returned function is called. A hint proves nothing: look at the plan.
   */
  watch(planId: PlanId, onHint: () => void): () => void;
};

/** Listens for stop hints, with one subscription for all plans. */
export function watchStops(bus: Bus): StopHints {
  const watching = new Map<string, Set<() => void>>();
  const subscription = bus.connection.subscribe(ALL_STOPS, {
    callback: (_error, { subject }) => {
      const planId = PlanId.safeParse(subject.split(".").at(-1));
      if (!planId.success) return;
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
    [Symbol.dispose]: () => subscription.unsubscribe(),
  };
}
