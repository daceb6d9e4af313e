/** What running a plan is expected to take, and how much of it that covers. */
import { z } from "zod";

const Steps = z.int().nonnegative();

export const RunEstimate = z.object({
  durationMs: z.number().nonnegative().nullable().meta({
    description:
      "The longest chain of its steps, in milliseconds, those of unknown time taken for nothing; null when the time of none is known.",
  }),
  costUsd: z.number().nonnegative().nullable().meta({
    description: "US dollars of the steps whose cost is known; null when that of none is.",
  }),
  inputTokens: Steps.meta({ description: "Of the steps whose use of models is known." }),
  outputTokens: Steps,
  steps: Steps.meta({
    description: "Steps that run when nothing goes wrong: all but those that stand in for others.",
  }),
  stepsTimed: Steps.meta({ description: "Those of them whose time is known." }),
  stepsPriced: Steps.meta({ description: "Those of them whose cost is known." }),
  runs: Steps.meta({
    description: "Earlier runs of such steps, of the same tenant, that the figures come from.",
  }),
  answered: z.boolean().meta({
    description: "Whether a step gives the answer. Otherwise a model does, which comes on top.",
  }),
});
export type RunEstimate = z.infer<typeof RunEstimate>;
