/** The watchers of each plan. A watcher holds no events, only its position: a slow one costs nothing. */
import type { PlanId } from "@planwright/plan";
import { Problem } from "../http/problem.ts";

const RETRY_AFTER_S = 5;

export type Watcher = Disposable & {
  /** Forgets the changes so far; anything read after this call is up to date. */
  reset(): void;
  /** Resolves when the plan has changed since the last `reset`, or when the watcher's signal aborts. */
  changed(): Promise<void>;
};

export type Watchers = {
  /** @throws {Problem} `too_many_watchers` */
  add(planId: PlanId, signal: AbortSignal): Watcher;
  /** @throws {Problem} `too_many_watchers` when `add` would throw it now. */
  refuseAbove(planId: PlanId): void;
  wake(planId: PlanId): void;
  readonly count: number;
};

/** @param options.perPlanMax - The maximum number of watchers per plan. */
export function createWatchers({ perPlanMax }: { readonly perPlanMax: number }): Watchers {
  const byPlan = new Map<PlanId, Set<() => void>>();
  let count = 0;
  const refuseAbove = (planId: PlanId): void => {
    if ((byPlan.get(planId)?.size ?? 0) < perPlanMax) return;
    throw new Problem("too_many_watchers", `a plan may have max ${perPlanMax} simultaneous watchers`, {
      retryAfterS: RETRY_AFTER_S,
    });
  };

  return {
    refuseAbove,
    add(planId, signal) {
      refuseAbove(planId);
      const peers = byPlan.get(planId) ?? new Set();
      byPlan.set(planId, peers);
      let change = Promise.withResolvers<void>();
      const wake = (): void => change.resolve();
      peers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
      count += 1;
      return {
        reset() {
          change = Promise.withResolvers<void>();
        },
        changed: () => change.promise,
        [Symbol.dispose]() {
          if (!peers.delete(wake)) return;
          signal.removeEventListener("abort", wake);
          count -= 1;
          if (peers.size === 0) byPlan.delete(planId);
        },
      };
    },
    wake(planId) {
      for (const wake of byPlan.get(planId) ?? []) wake();
    },
    get count() {
      return count;
    },
  };
}
