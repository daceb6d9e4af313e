/** Where an argument of a call comes from, as events tell it. */
import { z } from "zod";

export const ArgumentOrigin = z.object({
  argument: z.string().meta({ description: "Its name." }),
  author: z.enum(["user", "model", "plan"]).meta({
    description:
      "Who wrote the argument or the reference in it: the user, in a submitted plan; a model; or another plan, if this plan is its sub-plan, fork or follow-up.",
  }),
  tools: z.array(z.string()).optional().meta({
    description:
      "Tools whose outputs are part of the argument, or were read by the model that wrote it; absent if there are none.",
  }),
  content: z.enum(["web", "private"]).optional().meta({
    description:
      "What those outputs can contain: content from the public web, or private content. Absent if they contain only content of the plan itself.",
  }),
});
export type ArgumentOrigin = z.infer<typeof ArgumentOrigin>;
