import { PlanArchived, PlanDeleted, type PlanId } from "@planwright/plan";
import { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import { lastMessage } from "../bus/last-message.ts";
import { submissionSubject } from "../bus/subjects.ts";

const Tombstone = z.discriminatedUnion("type", [PlanArchived, PlanDeleted]);
export type Tombstone = z.infer<typeof Tombstone>;

/** What is left in the log of a plan that was archived or deleted; undefined when it was not. */
export async function readTombstone(bus: Bus, planId: PlanId): Promise<Tombstone | undefined> {
  const message = await lastMessage(bus, submissionSubject(planId));
  return message === undefined ? undefined : Tombstone.safeParse(message.json()).data;
}
