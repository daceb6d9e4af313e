/** How many plans have not ended, by whose they are (see `ownersOf`); sub-plans are not counted. */
import type { KnownPlan } from "@planwright/plan";
import { ownersOf } from "../quotas/owner.ts";

export type OpenCounts = {
  /** Takes in a plan that is open now, or is not any more. */
  count(plan: KnownPlan, change: 1 | -1): void;
  of(owner: string): number;
};

export function createOpenCounts(): OpenCounts {
  const counts = new Map<string, number>();
  return {
    count({ goal: { parent, tenant, submittedBy } }, change) {
      if (parent !== undefined) return;
      for (const owner of ownersOf({ tenant, identity: submittedBy })) {
        const count = (counts.get(owner) ?? 0) + change;
        if (count > 0) counts.set(owner, count);
        else counts.delete(owner);
      }
    },
    of: (owner) => counts.get(owner) ?? 0,
  };
}
