/** What stays in the log of a plan whose facts were moved to the archive. */
import { z } from "zod";
import { PlanOutline } from "../view/plan-outline.ts";
import { defineEvent } from "./define-event.ts";
import { PlanTrace } from "./values.ts";

const StreamSequence = z.int().positive();

/**
 * The plan's facts are in the archive. It takes the place of `goal.submitted`, on the same subject, so that a repeat
 * of the submission still finds it taken. No plan counts it.
 */
export const PlanArchived = defineEvent("plan.archived", {
  firstSequence: StreamSequence.meta({
    description: "Stream sequence numbers of the plan's first and last message.",
  }),
  lastSequence: StreamSequence,
  outline: PlanOutline,
  bodyHash: z.string().meta({ description: "As in `goal.submitted`." }),
  trace: PlanTrace,
}).named(({ lastSequence }) => `archived/${lastSequence}`);
export type PlanArchived = z.infer<typeof PlanArchived>;
