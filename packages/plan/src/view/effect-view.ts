/** The public view of an attempt that changes something. */
import { z } from "zod";
import { PlanId, StepId } from "../values/ids.ts";
import { Effect } from "../language/tool-spec.ts";

export const EffectView = z.object({
  key: z.string().meta({
    description:
      "The idempotency key that the tool sends to its target. It is the same for all attempts of a step.",
  }),
  stepId: StepId,
  item: z
    .int()
    .nonnegative()
    .optional()
    .meta({ description: "For a step with `forEach`: the index of the item." }),
  turn: z.int().positive().optional().meta({ description: "For a call in a loop: its turn." }),
  call: z
    .int()
    .positive()
    .optional()
    .meta({ description: "For a call in a turn with several calls: its position, from 1." }),
  undo: z.literal(true).optional().meta({ description: "Set for the effect of the step's compensation." }),
  attempt: z.int(),
  tool: z.string(),
  effect: Effect,
  status: z.enum(["started", "asked", "done", "failed", "unknown"]).meta({
    description:
      "`asked`: the attempt ended with a question to a reviewer, and a later attempt continues. `unknown`: whether it took place could not be determined.",
  }),
  at: z.string().meta({ description: "When the status was recorded." }),
  by: z.string().meta({ description: "The worker or reviewer that reported it." }),
  followedUpBy: PlanId.optional().meta({
    description:
      "The plan that compensates the effect, or asks a reviewer to do so; set when the outcome arrived after this plan had ended.",
  }),
});
export type EffectView = z.infer<typeof EffectView>;
