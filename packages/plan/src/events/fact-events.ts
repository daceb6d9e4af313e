/** What the processor made of one step's output. */
import { z } from "zod";
import { Forfeit } from "../language/budget.ts";
import { StatePatch } from "../facts/fact.ts";
import { StepId } from "../values/ids.ts";
import { defineEvent } from "./define-event.ts";
import { Attempt, Item, Usage } from "./values.ts";

/** The state patch of one output; the first one that is stored is the only one. */
export const FactRecorded = defineEvent("fact.recorded", {
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  ...StatePatch.shape,
  usage: Usage,
  forfeited: Forfeit.optional(),
  fault: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: "Why no facts could be extracted from the output." }),
}).named(({ stepId, item, attempt }) => `${stepId}/${item}/${attempt}/facts`);
export type FactRecorded = z.infer<typeof FactRecorded>;
