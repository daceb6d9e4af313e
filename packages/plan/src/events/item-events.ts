import { z } from "zod";
import { StepId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { defineEvent } from "./define-event.ts";

/** A step that runs for each of a list knows its list: it runs once for each of so many items, counted from 0. */
export const StepExpanded = defineEvent("step.expanded", {
  stepId: StepId,
  items: z.int().nonnegative().max(LIMITS.itemsMax),
});
export type StepExpanded = z.infer<typeof StepExpanded>;
