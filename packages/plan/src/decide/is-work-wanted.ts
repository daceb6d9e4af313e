import { isSameAttempt } from "../machine/step/attempts.ts";
import { type OutputOf, outputKey } from "../machine/knowledge.ts";
import { isEnded, type KnownPlan } from "../machine/plan-state.ts";
import { runOf } from "../machine/step/runs.ts";
import { currentCompensation } from "../machine/step/compensations.ts";
import type { CritiqueWork, DraftWork, JoinWork, ReviewWork, StepWork } from "../events/work.ts";

/** The fields that identify an attempt's message. */
export type AttemptSent = Pick<
  StepWork,
  "stepId" | "item" | "attempt" | "unit" | "undo" | "sentAfter" | "effect"
>;

/** The fields that distinguish a piece of a plan's work from every other; the output identifies an extraction of facts. */
export type WorkSent =
  | AttemptSent
  | OutputOf
  | Pick<ReviewWork, "stepId" | "attempt" | "review">
  | Pick<CritiqueWork, "of" | "draft" | "review">
  | Pick<DraftWork, "draft">
  | Pick<JoinWork, "join">;

/**
 * Whether the plan still waits for this work, so that the worker with its message should do it.
 *
 * An attempt of a step is wanted until it finishes, unless a newer message was sent for it, and only if it has started or can
 * still start. An attempt with an effect that had not started when its plan was paused is sent again when the plan resumes, so
 * its old message can be discarded without loss.
 */
export function isWorkWanted(plan: KnownPlan | undefined, work: WorkSent): boolean {
  if (plan === undefined) return false;
  if ("sentAfter" in work) return isAttemptWanted(plan, work);
  if ("join" in work) {
    const { number, phase } = plan.joining;
    return isOpen(plan) && number === work.join && phase === "requested";
  }
  if ("of" in work) {
    const { critique } = plan;
    const isAsked = critique?.of === work.of && critique.draft === work.draft;
    return !isEnded(plan) && isAsked && critique.review === work.review;
  }
  if ("draft" in work) {
    const { number, phase } = plan.drafting;
    return isOpen(plan) && number === work.draft && (phase === "requested" || phase === "open");
  }
  if (!("review" in work)) return plan.knowledge.processing.has(outputKey(work));
  const state = plan.steps.get(work.stepId)?.state;
  if (isEnded(plan) || state?.status !== "reviewing") return false;
  return state.attempt === work.attempt && state.review === work.review;
}

function isOpen(plan: KnownPlan): boolean {
  return !isEnded(plan) && plan.conclusion === undefined;
}

function isAttemptWanted(plan: KnownPlan, work: AttemptSent): boolean {
  if (work.undo === true) {
    const current = currentCompensation(plan);
    const isCurrent = current?.stepId === work.stepId && current.state.status === "running";
    return isCurrent && current.state.attempt === work.attempt;
  }
  const state = runOf(plan, work)?.state;
  if (state?.status !== "running" || state.stopping !== undefined) return false;
  if (!isSameAttempt(state, work) || state.sentAfter !== work.sentAfter) return false;
  return work.effect === "read" || state.startedAt !== undefined || plan.pause === undefined;
}
