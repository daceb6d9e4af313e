/** How an ended plan is deleted: what a user asks, and what is left of the plan afterwards. */
import { z } from "zod";
import { defineEvent } from "./define-event.ts";
import { PlanTrace } from "./values.ts";

/** Everything that is stored of an ended plan is to be erased. From here on no reader shows the plan. */
export const DeleteRequested = defineEvent("delete.requested", {
  by: z.string().max(128).meta({ description: "The tenant that owns the plan." }),
  trace: PlanTrace,
}).named(() => "delete.requested");
export type DeleteRequested = z.infer<typeof DeleteRequested>;

/**
 * Everything else of the plan has been erased. It takes the place of `goal.submitted`, on the same subject, so that a
 * repeat of the submission still finds it taken. It holds nothing of what the plan was about.
 */
export const PlanDeleted = defineEvent("plan.deleted", {
  tenant: z.string(),
  trace: PlanTrace.optional().meta({
    description: "Used to find the plan's stored spans; absent if it was unknown.",
  }),
}).named((_data, logEnd: number) => `deleted/${logEnd}`);
export type PlanDeleted = z.infer<typeof PlanDeleted>;
