/** Who is to be woken when a plan changes. A watcher holds no facts, only its place: a slow one costs nothing. */
import type { PlanId } from "@planwright/plan";
import { Problem } from "../http/problem.ts";

export const WATCHERS_OF_A_PLAN_MAX = 1_000;

export type Watcher = Disposable & {
  /** Forgets the changes so far: what is looked at from here on is up to date. */
  reset(): void;
  /** Resolves when the plan has changed since the last `reset`. Rejects when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void>;
};

export type Watchers = {
  /** @throws {Problem} `too_many_watchers` */
  add(planId: PlanId): Watcher;
  wake(planId: PlanId): void;
  readonly count: number;
};

export function createWatchers(): Watchers {
  const byPlan = new Map<PlanId, Set<() => void>>();
  let count = 0;

  return {
    add(planId) {
      const peers = byPlan.get(planId) ?? new Set();
      if (peers.size >= WATCHERS_OF_A_PLAN_MAX) {
        throw new Problem(
          "too_many_watchers",
          `a plan may be watched by at most ${WATCHERS_OF_A_PLAN_MAX} at once`,
          { retryAfterS: 5 },
        );
      }
      byPlan.set(planId, peers);
      let change = Promise.withResolvers<void>();
      const wake = (): void => change.resolve();
      peers.add(wake);
      count += 1;
      return {
        reset() {
          change = Promise.withResolvers<void>();
        },
        async changed(signal) {
          signal.throwIfAborted();
          const { promise, reject } = change;
          const giveUp = (): void => reject(signal.reason);
          signal.addEventListener("abort", giveUp, { once: true });
          try {
            await promise;
          } finally {
            signal.removeEventListener("abort", giveUp);
          }
        },
        [Symbol.dispose]() {
          if (!peers.delete(wake)) return;
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
