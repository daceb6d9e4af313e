/** What is reviewed: the `review` of a submission and of a step. */
import { z } from "zod";
import { REVIEW_ITERATIONS } from "./review-gates.ts";
import { LIMITS } from "../../values/limits.ts";

const Iterations = z.int().min(1).max(LIMITS.reviewIterationsMax).default(REVIEW_ITERATIONS).meta({
  description: "Total number of drafts, including the first one. Each is reviewed, and the best one is kept.",
});

/** The `review` of a step. */
export const StepReview = z.strictObject({
  maxIterations: Iterations,
  onMiss: z.enum(["keep", "revise"]).default("keep").meta({
    description: "If no draft is accepted: `keep` the best one, or fail the step and `revise` the plan.",
  }),
});
export type StepReview = z.infer<typeof StepReview>;

/** How the first draft of a plan is reviewed before it runs. */
export const PlanReview = z.strictObject({
  again: z.boolean().default(false).meta({
    description: "Whether the improved draft is reviewed too. It runs regardless of the result.",
  }),
});
export type PlanReview = z.infer<typeof PlanReview>;

/** How the answer of a plan is reviewed before it is given. */
export const AnswerReview = z.strictObject({ maxIterations: Iterations });
export type AnswerReview = z.infer<typeof AnswerReview>;

/** The `review` of a submission. Only what it names is reviewed. */
export const ReviewPolicy = z.strictObject({
  plan: z.union([z.boolean(), PlanReview]).default(false).meta({
    description:
      "Whether the first draft is reviewed before any of its steps runs. A rejected draft is improved once.",
  }),
  answer: z.union([z.boolean(), AnswerReview]).default(false).meta({
    description:
      "Whether the answer is reviewed before it is returned, and rewritten with the feedback if rejected: `maxIterations` (default 3).",
  }),
  steps: z.boolean().default(false).meta({
    description:
      "Whether each step with `successCriteria` or `expectedOutput` is reviewed against them. A step that misses them causes a revision of the plan.",
  }),
});
export type ReviewPolicy = z.infer<typeof ReviewPolicy>;
