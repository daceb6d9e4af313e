import { PlanArchived, type PlanId } from "@planwright/plan";
import type { Bus } from "../bus/connect-bus.ts";
import { lastMessage } from "../bus/last-message.ts";
import { submissionSubject } from "../bus/subjects.ts";

/** What is left in the log of a plan that was archived; undefined when it was not. */
export async function readTombstone(bus: Bus, planId: PlanId): Promise<PlanArchived | undefined> {
  const message = await lastMessage(bus, submissionSubject(planId));
  return message === undefined ? undefined : PlanArchived.safeParse(message.json()).data;
}
