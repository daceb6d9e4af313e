/** The gate through which this planner sends steps, with what it has to know of workers and other planners. */
import type { Command, PlanId } from "@planwright/plan";
import type { Bus } from "@planwright/shared/bus";
import { isUnreported } from "../dispatch/log-damage.ts";
import type { OwnedPlan } from "../dispatch/owned-plan.ts";
import { keepPoolSlots } from "./pool-slots.ts";
import { tellDemand } from "./tell-demand.ts";
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
