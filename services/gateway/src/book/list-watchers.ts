/** Which of a tenant's plans have changed, for clients that watch the list. A watcher holds ids, not plans. */
import type { PlanId } from "@planwright/plan";

/** A client with more changes than this reads the list again. */
export const CHANGES_MAX = 100;

/** The changes since the last call. */
export type ListChanges = {
  readonly planIds: readonly PlanId[];
  /** Whether more plans have changed than are named. */
  readonly more: boolean;
};

type ListWatcher = Disposable & {
  /** Resolves when there are changes or the watcher's signal aborts. */
  changed(): Promise<void>;
  take(): ListChanges;
};

export type ListWatchers = {
  add(tenant: string, signal: AbortSignal): ListWatcher;
  note(tenant: string, planId: PlanId): void;
};

type Gathered = { readonly planIds: Set<PlanId>; more: boolean; readonly wake: () => void };

export function createListWatchers(): ListWatchers {
  const byTenant = new Map<string, Set<Gathered>>();
  return {
    add(tenant, signal) {
      const peers = byTenant.get(tenant) ?? new Set();
      byTenant.set(tenant, peers);
      let change = Promise.withResolvers<void>();
      const wake = (): void => change.resolve();
      const gathered: Gathered = { planIds: new Set(), more: false, wake };
      peers.add(gathered);
      signal.addEventListener("abort", wake, { once: true });
      return {
        changed: () => change.promise,
        take() {
          change = Promise.withResolvers<void>();
          const { more } = gathered;
          const planIds = [...gathered.planIds];
          gathered.planIds.clear();
          gathered.more = false;
          return { planIds, more };
        },
        [Symbol.dispose]() {
          if (!peers.delete(gathered)) return;
          signal.removeEventListener("abort", wake);
          if (peers.size === 0) byTenant.delete(tenant);
        },
      };
    },
    note(tenant, planId) {
      for (const gathered of byTenant.get(tenant) ?? []) {
        if (gathered.planIds.size < CHANGES_MAX) gathered.planIds.add(planId);
        else if (!gathered.planIds.has(planId)) gathered.more = true;
        gathered.wake();
      }
    },
  };
}
