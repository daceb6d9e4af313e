/** Which reviews a submission and its steps request. */
import type { ToolGrant } from "../../events/values.ts";
import type { AnswerReview, PlanReview, ReviewPolicy, StepReview } from "./review-policy.ts";

/** The default of `maxIterations`. */
export const REVIEW_ITERATIONS = 3;

type Reviewed = {
  readonly review?: StepReview | undefined;
  readonly successCriteria?: string | undefined;
  readonly expectedOutput?: string | undefined;
};

/** Returns how a plan's first draft is reviewed; undefined if it is not. A submitted plan is not a draft. */
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
 * Returns how a step's output is reviewed; undefined if it is not.
 *
 * If retrying cannot improve the output of the step's tool, it is reviewed once, whatever the step requests.
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

/** Returns how a plan's answer is reviewed; undefined if it is not. */
export function answerReviewOf({
  review,
}: {
  readonly review?: ReviewPolicy | undefined;
}): AnswerReview | undefined {
  const asked = review?.answer ?? false;
  if (asked === false) return undefined;
  return asked === true ? { maxIterations: REVIEW_ITERATIONS } : asked;
}
