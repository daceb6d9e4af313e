import type { PlannerDemand } from "@planwright/shared/bus";

/** The sum of a pool's steps over all planners. */
type Demand = {
  /** In the pool's queue or with its workers. */
  readonly inFlight: number;
  /** Waiting for a slot. */
  readonly held: number;
  /** Since when the one that waits longest has waited; absent when none does. */
  readonly heldSince?: string;
};

/** By pool, in the order of their names. */
export function demandOf(demands: readonly PlannerDemand[]): Map<string, Demand> {
  const pools = new Map<string, Demand>();
  for (const { pool, tenants, heldSince } of demands.flatMap((demand) => demand.pools)) {
    const before = pools.get(pool);
    const [oldest] = [before?.heldSince, heldSince].filter((since) => since !== undefined).toSorted();
    pools.set(pool, {
      inFlight: tenants.reduce((sum, { inFlight }) => sum + inFlight, before?.inFlight ?? 0),
      held: tenants.reduce((sum, { held }) => sum + held, before?.held ?? 0),
      ...(oldest === undefined ? {} : { heldSince: oldest }),
    });
  }
  return new Map([...pools].toSorted(([left], [right]) => left.localeCompare(right)));
}
