import { isSameAttempt } from "./events/values.ts";
import type { KnownPlan } from "./state/plan-state.ts";
import type { StepWork } from "./work.ts";

/**
 * Whether the worker that has this message may run it: the attempt is not over, no newer message was sent for it,
 * and it has started or may still start.
 *
 * An attempt with an effect that had not started when its plan was paused is sent anew when the plan goes on, so
 * that its old message can be given up without a loss.
 */
export function isAttemptWanted(plan: KnownPlan | undefined, work: StepWork): boolean {
  const state = plan?.steps.get(work.stepId)?.state;
  if (plan === undefined || state?.status !== "running") return false;
  if (!isSameAttempt(state, work) || state.sentAfter !== work.sentAfter) return false;
  return work.effect === "read" || state.startedAt !== undefined || plan.pause === undefined;
}
