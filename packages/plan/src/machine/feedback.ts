import { NO_CHANGES } from "./changes.ts";
import type { FeedbackGiven } from "../events/feedback-events.ts";
import type { KnownPlan } from "./plan-state.ts";

/** Returns the ended plan with the feedback, or the same object when the feedback is late or repeated. */
export function withFeedback(plan: KnownPlan, { data, at }: FeedbackGiven): KnownPlan {
  if (data.number !== (plan.feedback?.number ?? 0) + 1) return plan;
  return { ...plan, feedback: { ...data, at }, changes: NO_CHANGES };
}
