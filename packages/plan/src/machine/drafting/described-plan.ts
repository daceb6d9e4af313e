/** A plan's description of itself: which step gives its answer, and the author's reasoning and confidence. */
import type { StepId } from "../../values/ids.ts";
import type { NextPlan } from "../plan-state.ts";

/** Sets the step that gives the plan's answer; undefined if the results are synthesized. */
export function answerBy(next: NextPlan, answerFrom: StepId | undefined): void {
  delete next.answerFrom;
  if (answerFrom !== undefined) next.answerFrom = answerFrom;
}

/** Without new reasoning, the old one is kept. A confidence belongs to one draft only. */
export function describePlan(
  next: NextPlan,
  { reasoning, confidence }: { reasoning?: string | undefined; confidence?: number | undefined },
): void {
  if (reasoning !== undefined) next.reasoning = reasoning;
  delete next.confidence;
  if (confidence !== undefined) next.confidence = confidence;
}
