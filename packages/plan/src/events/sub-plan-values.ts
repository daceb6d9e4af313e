/** How a plan says whose sub-plan it is. */
import { z } from "zod";
import { PlanId, StepId } from "../values/ids.ts";
import { Attempt, Item } from "./values.ts";

/** The attempt of the step that asked for the plan, and how deep the plan stands: 1 below a plan of nobody's. */
export const ParentStep = z.object({
  planId: PlanId,
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  depth: z.int().positive(),
});
export type ParentStep = z.infer<typeof ParentStep>;
