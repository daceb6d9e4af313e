/** The work of each pool that planners hold back and have sent: reported over core NATS to the other planners and the gateway. */
import { parseJson } from "@planwright/plan";
import { z } from "zod";
import type { Bus } from "./connect-bus.ts";
import { WORK_DEMAND } from "./subjects/core-subjects.ts";

/** A planner that has been silent for this long counts as holding no work. */
const SILENT_MS = 5_000;
const PLANNERS_MAX = 1_000;
const POOLS_MAX = 1_000;
/** Per pool; the tenants with the least work beyond that are reported as one. */
export const DEMAND_TENANTS_MAX = 500;

const Count = z.int().nonnegative();

const PoolDemand = z.object({
  pool: z.string().max(64),
  /** Since when the oldest held work has been held; absent when no work is held. */
  heldSince: z.string().optional(),
  tenants: z
    .array(z.object({ tenant: z.string().max(64), inFlight: Count, held: Count }))
    .max(DEMAND_TENANTS_MAX),
});
export type PoolDemand = z.infer<typeof PoolDemand>;

/** One planner's work of each pool; pools without work are absent. */
export const PlannerDemand = z.object({
  plannerId: z.string().max(256),
  pools: z.array(PoolDemand).max(POOLS_MAX),
});
export type PlannerDemand = z.infer<typeof PlannerDemand>;

export type DemandRoll = Disposable & {
  /** Of the planners that have reported recently. */
  present(): PlannerDemand[];
};

/** @param nowMs - Milliseconds of a monotonic clock. */
export function keepDemandRoll(
  bus: Bus,
  { nowMs, onDemand }: { readonly nowMs: () => number; readonly onDemand?: (demand: PlannerDemand) => void },
): DemandRoll {
  const roll = new Map<string, { readonly demand: PlannerDemand; readonly heardMs: number }>();
  const subscription = bus.connection.subscribe(WORK_DEMAND, {
    callback(error, message) {
      const demand = error === null ? PlannerDemand.safeParse(parseJson(message.string())).data : undefined;
      if (demand === undefined) return;
      roll.delete(demand.plannerId);
      if (demand.pools.length > 0 && roll.size < PLANNERS_MAX)
        roll.set(demand.plannerId, { demand, heardMs: nowMs() });
      onDemand?.(demand);
    },
  });
  return {
    present() {
      for (const [plannerId, { heardMs }] of roll) if (nowMs() - heardMs > SILENT_MS) roll.delete(plannerId);
      return [...roll.values()].map(({ demand }) => demand);
    },
    [Symbol.dispose]: () => subscription.unsubscribe(),
  };
}
