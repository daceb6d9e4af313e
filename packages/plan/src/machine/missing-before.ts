/**
 * Evidence that events have vanished from a plan's log.
 *
 * The writer of an event has seen the state that the event follows from, and the stream keeps the order. An event that
 * does not follow from the state before it therefore shows that an event in between was lost. Late and repeated
 * events show nothing, because they follow from an earlier state.
 */
import type { FactRecorded } from "../events/fact-events.ts";
import type { AnswerReviewed, PlanReviewed, StepReviewed } from "../events/review-events.ts";
import type { PlanEnded } from "../events/outcome-events.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import type { StepId } from "../values/ids.ts";
import { isEnded, type KnownPlan, type StepEntry, type StepState } from "./plan-state.ts";
import { runOf } from "./step/runs.ts";
import { isSettled, isUndecided } from "./step/step-state.ts";

/**
 * What must have been in the log before this fact, and is not; undefined when nothing is known to be missing.
 *
 * @param plan - The fold of all facts before `event`, from the plan's first one on.
 */
export function missingBefore(plan: KnownPlan, event: PlanEvent): string | undefined {
  if (isEnded(plan) || event.planId !== plan.planId) return undefined;
  switch (event.type) {
    case "step.started":
    case "step.succeeded":
    case "step.failed":
    case "step.interrupted":
      return beforeAttempt(plan, event);
    case "fact.recorded":
      return beforeFacts(plan, event.data);
    case "draft.started":
    case "step.planned":
    case "plan.sealed":
    case "plan.revised":
    case "draft.abandoned":
      return beforeDraft(plan, event);
    case "step.expanded":
      return plan.steps.has(event.data.stepId) ? undefined : `the planning of step ${event.data.stepId}`;
    case "step.skipped":
      return event.data.passedOver === true ? undefined : beforeSkip(plan, event.data.because);
    case "answer.given":
      if (event.data.join !== undefined) return beforeJoin(plan, event.data.join);
      return plan.conclusion === undefined ? "what decided the plan's answer" : undefined;
    case "join.abandoned":
    case "answer.drafted":
    case "revision.requested":
    case "nodes.valued":
      return beforeJoin(plan, event.data.join);
    case "step.reviewed":
      return beforeReview(plan, event.data);
    case "plan.reviewed":
      return beforeCritique(plan, event.data);
    case "answer.reviewed":
      return beforeAnswerCritique(plan, event.data);
    case "plan.ended":
      return beforeEnd(plan, event.data);
    case "pause.requested":
      return beforePause(plan, event.data.pause);
    case "resume.requested":
      return event.data.pause > plan.pauses ? `pause ${event.data.pause}` : undefined;
    case "model.failed":
    case "step.asked":
    case "turn.started":
    case "call.started":
    case "turn.taken":
    case "goal.submitted":
    case "cancel.requested":
    case "timer.fired":
    case "approval.requested":
    case "approval.decided":
    case "plan.archived":
    case "delete.requested":
    case "plan.deleted":
    case "redrive.requested":
    case "log.damaged":
    case "feedback.given":
      return undefined;
    default:
      event satisfies never;
      return undefined;
  }
}

function beforeAttempt(plan: KnownPlan, { type, data }: AttemptEvent): string | undefined {
  const { stepId, item, attempt, undo } = data;
  // A worker continues according to its own outcome, which the plan may have rejected, so this shows nothing.
  const wentOn = "via" in data && data.via !== undefined;
  if (wentOn) return undefined;
  if (undo === true) return beforeUndo(plan, stepId);
  const step = plan.steps.get(stepId);
  if (step === undefined) return `the planning of step ${stepId}`;
  const state = runOf(plan, { stepId, item })?.state;
  if (state === undefined) return beforeItem(step);
  const reached = attemptOf(state);
  if (reached === undefined || attempt < reached) return undefined;
  if (attempt > reached) return `the end of attempt ${attempt - 1} of step ${stepId}`;
  if (state.status === "awaiting-approval") {
    // An outcome that was thought lost may still come, and a start that was on its way when a loop asked. What waits for
    // its approval has not run, but may have failed for want of arguments to show.
    const hasRun = state.about.kind === "outcome-unknown" || state.about.call !== undefined;
    return hasRun || type === "step.failed" ? undefined : `the decision about step ${stepId}`;
  }
  return state.status === "waiting" ? WAITED[state.for](stepId) : undefined;
}

/** The processor that looked at an output has seen that output. */
function beforeFacts(plan: KnownPlan, { stepId, item, attempt }: FactRecorded["data"]): string | undefined {
  const step = plan.steps.get(stepId);
  if (step === undefined) return `the planning of step ${stepId}`;
  const state = runOf(plan, { stepId, item })?.state;
  if (state === undefined) return beforeItem(step);
  const reached = attemptOf(state);
  const isOpen = state.status === "waiting" || state.status === "running";
  return isOpen && reached !== undefined && attempt >= reached ? `the success of step ${stepId}` : undefined;
}

function beforeReview(
  plan: KnownPlan,
  { stepId, item, attempt, review }: StepReviewed["data"],
): string | undefined {
  if (item !== 0) return undefined;
  const state = plan.steps.get(stepId)?.state;
  if (state === undefined) return `the planning of step ${stepId}`;
  const reached = attemptOf(state);
  if (reached === undefined || attempt < reached) return undefined;
  if (attempt > reached) return `the end of attempt ${attempt - 1} of step ${stepId}`;
  if (state.status === "waiting" || state.status === "running") return `the outcome of step ${stepId}`;
  // Once it waits for the steps that verify it, it has been accepted: what was said of it before may come again.
  return state.status === "reviewing" &&
    state.for !== "verification" &&
    state.for !== "draft" &&
    review > state.review
    ? `review ${review - 1} of step ${stepId}`
    : undefined;
}

/** The reviewer of a draft has seen that the draft was complete. */
function beforeCritique(
  { drafting, critique }: KnownPlan,
  { draft, review }: PlanReviewed["data"],
): string | undefined {
  if (draft > drafting.number) return `what asked for draft ${draft}`;
  if (draft < drafting.number) return undefined;
  if (drafting.phase === "open" || drafting.phase === "requested" || drafting.phase === "delayed") {
    return `the end of draft ${draft}`;
  }
  // That of an answer says nothing of the plan's.
  return critique?.of === "plan" && review > critique.review
    ? `review ${review - 1} of draft ${draft}`
    : undefined;
}

/** Only a step that has been expanded has items; what failed before it could be has none. */
function beforeItem({ step, state }: StepEntry): string | undefined {
  const isExpanded = step.forEach === undefined || isSettled(state) || state.status === "repeating";
  return isExpanded || isUndecided(state) ? undefined : `the expansion of step ${step.id}`;
}

function beforeAnswerCritique(
  { answering, critique }: KnownPlan,
  { draft, review }: AnswerReviewed["data"],
): string | undefined {
  const drafts = answering?.count ?? 0;
  if (draft > drafts) return `draft ${draft} of the answer`;
  const isPending = critique?.of === "answer" && critique.draft === draft;
  return isPending && review > critique.review
    ? `review ${review - 1} of the answer's draft ${draft}`
    : undefined;
}

function beforeUndo({ conclusion, undoable }: KnownPlan, stepId: StepId): string | undefined {
  if (!undoable.includes(stepId)) return `the success of step ${stepId}`;
  return conclusion === undefined ? "what decided the plan's end" : undefined;
}

type AttemptEvent = Extract<
  PlanEvent,
  { type: "step.started" | "step.succeeded" | "step.failed" | "step.interrupted" }
>;

/** What must have happened before a waiting step could run. */
const WAITED = {
  dependencies: (stepId: StepId) => `the outcome of a step that ${stepId} needs`,
  primary: (stepId: StepId) => `the failure of the step that ${stepId} stands in for`,
  // The dispatcher has found that the step cannot run, or the event is late.
  condition: () => undefined,
  items: () => undefined,
  turn: (stepId: StepId) => `the outcome of an item of ${stepId} that ran before`,
  draft: (stepId: StepId) => `the end of the draft that planned ${stepId}`,
  approval: () => "the decision about the plan",
  capacity: (stepId: StepId) => `the outcome of a step that ran before ${stepId}`,
  budget: (stepId: StepId) => `what gave ${stepId} its turn`,
  retry: (stepId: StepId) => `the timer that ${stepId} waits for`,
  start: () => "the plan's start",
  resume: () => "the end of a pause",
} as const;

/** A request for a pause follows the end of the pause before. */
function beforePause({ pause, pauses }: KnownPlan, number: number): string | undefined {
  const isNext = number === pauses + 1;
  return number > pauses + 1 || (isNext && pause !== undefined)
    ? `the end of pause ${number - 1}`
    : undefined;
}

function attemptOf(state: StepState): number | undefined {
  return "attempt" in state ? state.attempt : undefined;
}

type DraftEvent = Extract<
  PlanEvent,
  { type: `draft.${string}` | "step.planned" | "plan.sealed" | "plan.revised" }
>;

function beforeDraft({ drafting, steps }: KnownPlan, event: DraftEvent): string | undefined {
  const { draft } = event.data;
  if (draft > drafting.number) return `what asked for draft ${draft}`;
  if (draft < drafting.number) return undefined;
  if (drafting.phase === "delayed") return `the timer that draft ${draft} waits for`;
  const needsStart = event.type !== "draft.started" && event.type !== "draft.abandoned";
  if (drafting.phase === "requested" && needsStart) return `the start of draft ${draft}`;
  if (drafting.phase !== "open") return undefined;
  if (event.type === "plan.revised") {
    const lost = event.data.added.find((stepId) => !steps.has(stepId));
    return lost === undefined ? undefined : `the planning of step ${lost}`;
  }
  if (event.type !== "plan.sealed") return undefined;
  // Among the draft's steps are those of earlier drafts that do instead.
  const lost = event.data.steps - steps.size;
  return lost > 0 ? `the planning of ${lost} steps of draft ${draft}` : undefined;
}

function beforeSkip({ steps }: KnownPlan, because: StepId): string | undefined {
  const entry = steps.get(because);
  if (entry === undefined) return `the planning of step ${because}`;
  const isOpen = entry.state.status === "waiting" || entry.state.status === "running";
  // A retried step was dead-lettered before, when its dependents were skipped.
  return isOpen && entry.redriven === undefined ? `the failure of step ${because}` : undefined;
}

function beforeEnd({ conclusion, seq }: KnownPlan, { facts }: PlanEnded["data"]): string | undefined {
  if (conclusion === undefined) return "what decided the plan's end";
  if (!conclusion.answerRecorded) return "the plan's answer";
  return seq < facts ? `${facts - seq} of ${facts} facts` : undefined;
}

function beforeJoin({ joining }: KnownPlan, join: number): string | undefined {
  return join > joining.number ? `what asked for judgement ${join}` : undefined;
}
