/** What a submission and its steps ask to have judged. */
import type { ToolGrant } from "../../events/values.ts";
import type { AnswerReview, PlanReview, ReviewPolicy, StepReview } from "./review-policy.ts";

/** The default of `maxIterations`. */
export const REVIEW_ITERATIONS = 3;

type Reviewed = {
  readonly review?: StepReview | undefined;
  readonly successCriteria?: string | undefined;
  readonly expectedOutput?: string | undefined;
};

/** How a plan's first draft is judged; undefined when it is not. A plan that was submitted is no draft. */
export function planReviewOf({
  plan,
  review,
}: {
  readonly plan?: object | undefined;
  readonly review?: ReviewPolicy | undefined;
}): PlanReview | undefined {
  const asked = review?.plan ?? false;
  if (asked === false || plan !== undefined) return undefined;
  return asked === true ? { again: false } : asked;
}

/**
 * How a step's output is judged; undefined when it is not.
 *
 * What a step's tool cannot make better by trying again is judged once, whatever the step asks for.
 */
export function stepReviewOf(
  { review }: { readonly review?: ReviewPolicy | undefined },
  step: Reviewed,
  { revises }: Pick<ToolGrant, "revises">,
): StepReview | undefined {
  if (step.review !== undefined) {
    return revises === true ? step.review : { ...step.review, maxIterations: 1 };
  }
  const isMeasurable = step.successCriteria !== undefined || step.expectedOutput !== undefined;
  return review?.steps === true && isMeasurable ? { maxIterations: 1, onMiss: "revise" } : undefined;
}

/** How a plan's answer is judged; undefined when it is not. */
export function answerReviewOf({
  review,
}: {
  readonly review?: ReviewPolicy | undefined;
}): AnswerReview | undefined {
  const asked = review?.answer ?? false;
  if (asked === false) return undefined;
  return asked === true ? { maxIterations: REVIEW_ITERATIONS } : asked;
}
