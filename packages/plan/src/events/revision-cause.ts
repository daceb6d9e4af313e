import { z } from "zod";

/**
 * Why a plan is revised: its results do not answer the goal, a step failed for good, a verification failed, an output
 * is not what was expected of it, a step found out that the plan has to change, a person threw a step out, a wave is
 * over and the next one is to be planned, or a critic rejected the first draft before it ran.
 */
export const RevisionCause = z.enum([
  "results",
  "failure",
  "verification",
  "expectation",
  "requires_replan",
  "rejection",
  "wave",
  "critique",
]);
export type RevisionCause = z.infer<typeof RevisionCause>;
