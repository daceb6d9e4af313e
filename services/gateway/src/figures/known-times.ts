import type { KnownTimes, StepRuns } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";
import { readStepRuns } from "./step-runs-table.ts";

/** Views are made many times a second, and what steps take on average hardly changes within this time. */
const KEPT_MS = 2_000;
/** Tenants whose runs are kept; of more, all are read again. */
const TENANTS_MAX = 1_000;

type Options = {
  readonly database: DatabaseSync;
  /** How many steps run at a time, by pool. */
  readonly slots: () => ReadonlyMap<string, number>;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
};

/** The basis for estimates of open plans, besides the plans themselves; by tenant. */
export function createKnownTimes({ database, slots, clock }: Options): (tenant: string) => KnownTimes {
  const kept = new Map<string, { readonly past: ReadonlyMap<string, StepRuns>; readonly readMs: number }>();
  return (tenant) => {
    const known = kept.get(tenant);
    if (known !== undefined && clock() - known.readMs < KEPT_MS) return { past: known.past, slots: slots() };
    if (kept.size >= TENANTS_MAX) kept.clear();
    const past = readStepRuns(database, tenant);
    kept.set(tenant, { past, readMs: clock() });
    return { past, slots: slots() };
  };
}
