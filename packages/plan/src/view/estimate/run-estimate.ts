/** What running a plan is expected to take, and how much of it that covers. */
import { z } from "zod";

const Steps = z.int().nonnegative();

export const RunEstimate = z.object({
  durationMs: z.number().nonnegative().nullable().meta({
    description:
      "Duration of the critical path in milliseconds. Steps with an unknown duration count as 0. Null if no step has a known duration.",
  }),
  costUsd: z.number().nonnegative().nullable().meta({
    description: "Cost in US dollars of the steps whose cost is known; null if none is known.",
  }),
  inputTokens: Steps.meta({ description: "For the steps whose model usage is known." }),
  outputTokens: Steps,
  steps: Steps.meta({
    description: "Steps that run if nothing fails: all except fallbacks.",
  }),
  stepsTimed: Steps.meta({ description: "Steps whose duration is known." }),
  stepsPriced: Steps.meta({ description: "Steps whose cost is known." }),
  runs: Steps.meta({
    description: "Number of earlier runs in the same tenant on which the estimate is based.",
  }),
  answered: z.boolean().meta({
    description: "Whether a step provides the answer. Otherwise a model writes it, which is not included.",
  }),
});
export type RunEstimate = z.infer<typeof RunEstimate>;
