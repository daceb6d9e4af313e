/** The open plans of this owner, folded from the log. */
import { evolve, isEnded, noPlan, type PlanId } from "@planwright/plan";
import type { LogEntry } from "@planwright/shared/bus";
import type { OwnedPlan } from "./owned-plan.ts";

export type PlanTable = {
  /** Folds one fact. Returns the plan when the fact changed it. */
  fold(entry: LogEntry): OwnedPlan | undefined;
  open(): Iterable<OwnedPlan>;
  get(planId: PlanId): OwnedPlan | undefined;
  /** From where the log has to be read again to know every open plan whole. */
  checkpoint(): number;
};

/** @param from - The sequence from which the log is followed. */
export function createPlanTable(from: number): PlanTable {
  const plans = new Map<PlanId, OwnedPlan>();
  let next = from;
  return {
    fold(entry) {
      const { event, sequence } = entry;
      next = sequence + 1;
      const owned = plans.get(event.planId);
      if (owned !== undefined) noteWriter(owned, entry);
      const before = owned?.plan ?? noPlan;
      const plan = evolve(before, event);
      if (plan === before || plan.status === "absent") return undefined;
      if (owned === undefined) {
        const added = {
          plan,
          firstSequence: sequence,
          fence: 0,
          control: sequence,
          recording: Promise.resolve(),
        };
        plans.set(event.planId, added);
        return added;
      }
      owned.plan = plan;
      if (isEnded(plan)) plans.delete(event.planId);
      return owned;
    },
    open: () => plans.values(),
    get: (planId) => plans.get(planId),
    checkpoint() {
      // Plans are kept in the order of their first facts, so the first one is the oldest.
      for (const { firstSequence } of plans.values()) return firstSequence;
      return next;
    },
  };
}

/** Which class of writer a subject belongs to stands in its fourth token: `plan.<partition>.<id>.<class>.…`. */
function noteWriter(owned: OwnedPlan, { subject, sequence }: LogEntry): void {
  const writer = subject.split(".", 4)[3];
  if (writer === "d") owned.fence = Math.max(owned.fence, sequence);
  else if (writer === "control") owned.control = Math.max(owned.control, sequence);
}
