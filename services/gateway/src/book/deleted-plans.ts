/** The most recently deleted plans. For any other plan, the log knows. */
import type { PlanId } from "@planwright/plan";

const KNOWN_MAX = 10_000;

export type DeletedPlans = {
  /** Records that deletion was requested: the plan is hidden from all readers from now on. */
  add(planId: PlanId): void;
  has(planId: PlanId): boolean;
  /** Records that the plan's data has been erased. */
  erased(planId: PlanId): void;
  /**
   * Resolves when {@link erased} is called for the plan. Call this before triggering the erasure.
   *
   * @throws The signal's reason when it aborts first.
   */
  untilErased(planId: PlanId, signal: AbortSignal): Promise<void>;
};

export function createDeletedPlans({
  knownMax = KNOWN_MAX,
}: {
  readonly knownMax?: number;
} = {}): DeletedPlans {
  const known = new Set<PlanId>();
  const waiting = new Map<PlanId, Set<() => void>>();
  return {
    add(planId) {
      known.add(planId);
      const [oldest] = known;
      if (known.size > knownMax && oldest !== undefined) known.delete(oldest);
    },
    has: (planId) => known.has(planId),
    erased(planId) {
      for (const resolve of waiting.get(planId) ?? []) resolve();
    },
    async untilErased(planId, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = (): void => reject(signal.reason);
      const peers = waiting.get(planId) ?? new Set();
      waiting.set(planId, peers.add(resolve));
      signal.addEventListener("abort", giveUp, { once: true });
      try {
        await promise;
      } finally {
        signal.removeEventListener("abort", giveUp);
        peers.delete(resolve);
        if (peers.size === 0 && waiting.get(planId) === peers) waiting.delete(planId);
      }
    },
  };
}
