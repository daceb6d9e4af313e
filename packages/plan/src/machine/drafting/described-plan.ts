/** What a plan says of itself: where its answer comes from, and how its author sees it. */
import type { StepId } from "../../values/ids.ts";
import type { NextPlan } from "../plan-state.ts";

/** Names the step that gives the plan's answer; undefined when its results are put together. */
export function answerBy(next: NextPlan, answerFrom: StepId | undefined): void {
  delete next.answerFrom;
  if (answerFrom !== undefined) next.answerFrom = answerFrom;
}

/** Reasoning that is not given stands as it was; a confidence belongs to one draft. */
export function describePlan(
  next: NextPlan,
  { reasoning, confidence }: { reasoning?: string | undefined; confidence?: number | undefined },
): void {
  if (reasoning !== undefined) next.reasoning = reasoning;
  delete next.confidence;
  if (confidence !== undefined) next.confidence = confidence;
}
