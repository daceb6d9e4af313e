import { PlanArchived, type PlanId } from "@planwright/plan";
import type { Bus } from "../bus/connect-bus.ts";
import { submissionSubject } from "../bus/subjects.ts";
import { STREAMS } from "../bus/topology.ts";

/** What is left in the log of a plan that was archived; undefined when it was not. */
export async function readTombstone(bus: Bus, planId: PlanId): Promise<PlanArchived | undefined> {
  const last_by_subj = submissionSubject(planId);
  const message = await bus.manager.direct.getMessage(STREAMS.plans, { last_by_subj });
  return message === null ? undefined : PlanArchived.safeParse(message.json()).data;
}
