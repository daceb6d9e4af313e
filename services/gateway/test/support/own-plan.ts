import { decide, evolve, noPlan, type Plan, PlanEvent, PlanId } from "@planwright/plan";
import { type Bus, createPublish, decisionSubject, readPlanEvents } from "@planwright/shared/bus";

/** Does the dispatcher's part: stores the approval requests that follow from the current log. */
export async function ownPlan(bus: Bus, planId: string): Promise<void> {
  const publish = createPublish(bus);
  let plan: Plan = noPlan;
  for await (const { event } of readPlanEvents(bus, PlanId.parse(planId))) plan = evolve(plan, event);
  if (plan.status === "absent") throw new Error("there is no such plan");
  for (const command of decide(plan)) {
    if (command.kind !== "record" || command.event.type !== "approval.requested") continue;
    const event = PlanEvent.parse({ ...command.event, at: new Date().toISOString() });
    await publish(decisionSubject(event), event, { id: event.id });
  }
}
