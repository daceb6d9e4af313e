import type { KnownPlan, PlanEvent, PlanId } from "@planwright/plan";
import {
  type Bus,
  createPublish,
  decisionSubject,
  factSubject,
  readPlan,
  readPlanEvents,
} from "@planwright/shared/bus";

/** The plans' log, for a test that plays a part of the system. */
export type PlanLog = {
  /** Stores an event where its writer would. Returns the subject. */
  readonly put: (event: PlanEvent, headers?: Readonly<Record<string, string>>) => Promise<string>;
  /** @throws When the log has no such plan. */
  readonly plan: (planId: PlanId) => Promise<KnownPlan>;
  /** Every stored event of the plan, whether or not it counts. */
  readonly events: (planId: PlanId) => Promise<PlanEvent[]>;
};

export function openPlanLog(bus: Bus): PlanLog {
  const publish = createPublish(bus);
  return {
    async put(event, headers = {}) {
      const isDecision = event.type === "plan.ended" || event.type === "step.skipped";
      const subject = isDecision ? decisionSubject(event) : factSubject(event);
      await publish(subject, event, { id: event.id, headers });
      return subject;
    },
    async plan(planId) {
      const known = await readPlan(bus, planId);
      if (known === undefined) throw new Error(`wanted the plan ${planId}, found none`);
      return known;
    },
    async events(planId) {
      const found: PlanEvent[] = [];
      for await (const { event } of readPlanEvents(bus, planId)) found.push(event);
      return found;
    },
  };
}
