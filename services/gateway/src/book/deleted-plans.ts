/** Which plans were deleted, the latest of them; for any other, the log tells. */
import type { PlanId } from "@planwright/plan";

const KNOWN_MAX = 10_000;

export type DeletedPlans = {
  /** Its deletion was requested: no reader shows it any more. */
  add(planId: PlanId): void;
  has(planId: PlanId): boolean;
  /** Nothing of it is stored any more. */
  erased(planId: PlanId): void;
  /**
   * Resolves when {@link erased} is called for the plan. Ask before whatever leads to it.
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
