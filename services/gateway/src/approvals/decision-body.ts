import { ApprovalDecision, JsonValue } from "@planwright/plan";
import { z } from "zod";

/** What a person says to an approval. */
export const DecisionBody = z.strictObject({
  decision: ApprovalDecision,
  edits: z.record(z.string(), JsonValue).optional().meta({
    description:
      "With `approve`: all the arguments that are to run instead of those shown; of a plan, the whole plan that is to run instead; of a budget, by how much each limit is raised.",
  }),
  output: JsonValue.optional().meta({ description: "With `happened`: the step's output; null without it." }),
  answer: JsonValue.optional().meta({
    description: "With `answer`: what is answered; one of the question's `choices` where it has any.",
  }),
  by: z.string().trim().min(1).max(128).optional().meta({ description: "Who decides; for the record." }),
  reason: z.string().trim().min(1).max(2_000).optional(),
});
export type DecisionBody = z.output<typeof DecisionBody>;
