/** Tells the other planners and the gateway what this planner has of each pool's work, and hears it of the other planners. */
import {
  type Bus,
  keepDemandRoll,
  type PlannerDemand,
  type PoolDemand,
  WORK_DEMAND,
} from "@planwright/shared/bus";

/** The least time between two messages. */
const EVERY_MS = 200;

export type Demands = Disposable & {
  /** Tells it soon, because it has changed. */
  soon(): void;
  /** Tells it again, because silence would mean that there is none. */
  refresh(): void;
  /** What each other planner has of a pool's work: steps, by tenant. */
  ofOthers(pool: string): readonly ReadonlyMap<string, number>[];
};

/**
 * @param options.own - What this planner has now; empty when there is none.
 * @param options.onOthers - Called when another planner has told something.
 */
export function tellDemand(
  bus: Bus,
  {
    plannerId,
    own,
    nowMs,
    onOthers,
  }: {
    readonly plannerId: string;
    readonly own: () => PoolDemand[];
    readonly nowMs: () => number;
    readonly onOthers: () => void;
  },
): Demands {
  let timer: NodeJS.Timeout | undefined;
  let wasEmpty = true;
  const isOther = (demand: PlannerDemand): boolean => demand.plannerId !== plannerId;
  const roll = keepDemandRoll(bus, { nowMs, onDemand: (demand) => void (isOther(demand) && onOthers()) });

  const tell = (): void => {
    timer = undefined;
    if (bus.connection.isClosed()) return;
    const pools = own();
    if (pools.length === 0 && wasEmpty) return;
    wasEmpty = pools.length === 0;
    bus.connection.publish(WORK_DEMAND, JSON.stringify({ plannerId, pools } satisfies PlannerDemand));
  };
  return {
    soon: () => void (timer ??= setTimeout(tell, EVERY_MS)),
    refresh() {
      if (!wasEmpty) timer ??= setTimeout(tell, EVERY_MS);
    },
    ofOthers: (pool) =>
      roll
        .present()
        .filter(isOther)
        .flatMap(({ pools }) => pools.filter((one) => one.pool === pool).map(stepsByTenant)),
    [Symbol.dispose]() {
      clearTimeout(timer);
      roll[Symbol.dispose]();
    },
  };
}

function stepsByTenant({ tenants }: PoolDemand): Map<string, number> {
  return new Map(tenants.map(({ tenant, inFlight, held }) => [tenant, inFlight + held]));
}
