import { type Answer, type KnownPlan, partialAnswer } from "@planwright/plan";

/** The answer of a plan whose results no model judges: the results as they are, and what is missing. */
export function answerWithoutModel(plan: KnownPlan, cause: string): Answer {
  return partialAnswer(plan, `No model reviewed these results: ${cause}.`);
}
