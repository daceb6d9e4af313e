/** Events of tree searches. */
import { z } from "zod";
import { Forfeit } from "../language/budget.ts";
import { StepId } from "../values/ids.ts";
import { defineEvent } from "./define-event.ts";
import { joinDone } from "./outcome-events.ts";
import { Usage } from "./values.ts";

/** Maximum per round; a round has far fewer actions. */
const VALUES_MAX = 100;

/** The value of one tried action. */
export const ActionValue = z.object({
  stepId: StepId,
  value: z
    .number()
    .min(0)
    .max(1)
    .meta({ description: "How close the action has come to the goal, from 0 to 1." }),
  solved: z.boolean().meta({ description: "Whether the action reaches the goal." }),
  reason: z.string().max(2_000),
});
export type ActionValue = z.infer<typeof ActionValue>;

/** The actions of one round of a tree search are valued. */
export const NodesValued = defineEvent("nodes.valued", {
  join: z.int().positive().meta({ description: "Number of the synthesis call." }),
  values: z
    .array(ActionValue)
    .max(VALUES_MAX)
    .meta({ description: "Empty if the actions could not be evaluated, which ends the search." }),
  cause: z.string().max(2_000).optional().meta({ description: "Why the actions could not be evaluated." }),
  usage: Usage,
  forfeited: Forfeit.optional(),
}).named(joinDone);
export type NodesValued = z.infer<typeof NodesValued>;
