/** How a plan names the step whose sub-plan it is. */
import { z } from "zod";
import { PlanId, StepId } from "../values/ids.ts";
import { Attempt, Item } from "./values.ts";

/** The attempt of the step that requested the plan, and the plan's depth: 1 directly below a top-level plan. */
export const ParentStep = z.object({
  planId: PlanId,
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  depth: z.int().positive(),
});
export type ParentStep = z.infer<typeof ParentStep>;
