import { isSameAttempt } from "../events/values.ts";
import { currentCompensation } from "../machine/step/compensations.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { runOf } from "../machine/step/runs.ts";
import type { StepWork } from "../events/work.ts";

/** The fields that identify an attempt's message. */
export type AttemptSent = Pick<
  StepWork,
  "stepId" | "item" | "attempt" | "via" | "undo" | "sentAfter" | "effect"
>;

/**
 * Whether the worker that has this message may run it: the attempt is not over, no newer message was sent for it,
 * and it has started or may still start.
 *
 * An attempt with an effect that had not started when its plan was paused is sent again when the plan resumes, so
 * its old message can be discarded without loss.
 */
export function isAttemptWanted(plan: KnownPlan | undefined, work: AttemptSent): boolean {
  if (work.undo === true) return isCompensationWanted(plan, work);
  const state = plan === undefined ? undefined : runOf(plan, work)?.state;
  if (plan === undefined || state?.status !== "running") return false;
  if (state.stopping !== undefined) return false;
  if (!isSameAttempt(state, work) || state.sentAfter !== work.sentAfter) return false;
  return work.effect === "read" || state.startedAt !== undefined || plan.pause === undefined;
}

function isCompensationWanted(plan: KnownPlan | undefined, { stepId, attempt }: AttemptSent): boolean {
  const current = plan === undefined ? undefined : currentCompensation(plan);
  return (
    current?.stepId === stepId && current.state.status === "running" && current.state.attempt === attempt
  );
}
