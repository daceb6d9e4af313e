/** The gate through which this planner sends steps, with what it has to know of workers and other planners. */
import type { Command, PlanId } from "@planwright/plan";
import {
  type Bus,
  keepDemandRoll,
  type PlannerDemand,
  type PoolDemand,
  WORK_DEMAND,
} from "@planwright/shared/bus";
import { isUnreported } from "../dispatch/log-damage.ts";
import type { OwnedPlan } from "../dispatch/owned-plan.ts";
import { keepPoolSlots } from "./pool-slots.ts";
import { WorkGate } from "./work-gate.ts";

export type Sharing = Disposable & {
  readonly gate: WorkGate;
  /** To be called every few seconds: looks for what no event says. */
  sweep(): void;
};

/**
 * @param options.find - The plan if it is decided here.
 * @param options.send - Carries a command out.
 */
export function startSharing(
  { bus, plannerId, now }: { readonly bus: Bus; readonly plannerId: string; readonly now: () => Date },
  {
    find,
    send,
  }: {
    readonly find: (planId: PlanId) => OwnedPlan | undefined;
    readonly send: (owned: OwnedPlan, command: Command) => void;
  },
): Sharing {
  using cleanup = new DisposableStack();
  const nowMs = (): number => performance.now();
  const release = (): void => gate.release();
  const slots = cleanup.use(keepPoolSlots(bus, { nowMs, onChange: release }));
  const demands = cleanup.use(
    tellDemand(bus, { plannerId, own: () => gate.demand(), nowMs, onOthers: release }),
  );
  const gate = new WorkGate({
    slots: (pool) => slots.of(pool),
    others: (pool) => demands.ofOthers(pool),
    // Of a plan whose log is not whole nothing is sent; once the log says so, everything is decided again.
    find(planId) {
      const owned = find(planId);
      return owned === undefined || isUnreported(owned) ? undefined : owned;
    },
    send,
    onChange: () => demands.soon(),
    now,
  });
  const owned = cleanup.move();
  return {
    gate,
    sweep() {
      slots.forgetSilent();
      gate.sweep();
      gate.release();
      demands.refresh();
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}

/** The least time between two messages. */
const EVERY_MS = 200;

/** Tells the other planners and the gateway what this planner has of each pool's work, and hears it of the other planners. */
type Demands = Disposable & {
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
function tellDemand(
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
