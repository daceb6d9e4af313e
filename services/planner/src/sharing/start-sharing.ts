/** The gate through which this planner sends steps, with the required data of workers and other planners. */
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
  /** Call this every few seconds: it looks for changes that no event reports. */
  sweep(): void;
};

/**
 * @param options.find - The plan if it is decided here.
 * @param options.send - Executes a command.
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
    // Nothing is sent of a plan with an incomplete log; once the log records the damage, everything is decided again.
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

/** The minimum time between two messages. */
const EVERY_MS = 200;

/**
 * Reports this planner's share of each pool's work to the other planners and the gateway, and receives the other planners'
 * reports.
 */
type Demands = Disposable & {
  /** Reports soon, because the demand has changed. */
  soon(): void;
  /** Reports again, because silence would mean that there is no demand. */
  refresh(): void;
  /** Each other planner's share of a pool's work: steps, by tenant. */
  ofOthers(pool: string): readonly ReadonlyMap<string, number>[];
};

/**
 * @param options.own - This planner's current share; empty when there is none.
 * @param options.onOthers - Called when another planner has reported.
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
