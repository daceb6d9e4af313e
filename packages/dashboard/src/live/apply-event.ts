/**
 * What a fact changes in the view at once, before the gateway's own view has been read again.
 *
 * An approximation of the gateway's fold, kept to what people look at: statuses, the answer, the end.
 * The view that is read next replaces it.
 */
import type { NumberedEvent, PlanEvent, PlanView, StepView } from "../api/api-types.ts";

const SETTLED: ReadonlySet<StepView["status"]> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

/** A fact that the view has already taken in leaves it as it is, the same object. */
export function applyEvent(view: PlanView, { seq, event }: NumberedEvent): PlanView {
  if (seq <= view.seq) return view;
  const next = { ...view, ...changesOf(view, event), seq, updatedAt: event.at };
  return next.steps === view.steps ? next : { ...next, progress: progressOf(next) };
}

export function isSettled(step: StepView): boolean {
  return SETTLED.has(step.status);
}

function changesOf(view: PlanView, event: PlanEvent): Partial<PlanView> {
  switch (event.type) {
    case "draft.started":
      return { status: "planning", strategy: event.data.strategy };
    case "step.planned": {
      const { step, grant, draft } = event.data;
      if (view.steps.some((known) => known.id === step.id)) return {};
      return {
        steps: [...view.steps, { ...step, grant, draft, status: "waiting", attempt: 0, failedAttempts: [] }],
      };
    }
    case "plan.sealed":
    case "plan.revised":
      return { status: "running" };
    case "answer.given":
      return { answer: event.data.answer };
    case "plan.ended":
      return {
        status: event.data.outcome,
        outcome: event.data.outcome,
        reason: event.data.reason,
        endedAt: event.at,
      };
    case "step.interrupted":
    case "step.asked":
    case "approval.requested": {
      const { stepId } = event.data;
      if (stepId === undefined) return {};
      return { steps: changeStep(view.steps, stepId, awaitApproval) };
    }
    case "step.expanded":
      return { steps: changeStep(view.steps, event.data.stepId, (one) => ({ ...one, status: "running" })) };
    case "step.started":
    case "step.succeeded":
    case "step.failed":
      return { steps: changeStep(view.steps, event.data.stepId, (step) => runStep(step, event)) };
    case "step.skipped":
      return { steps: skipSteps(view.steps, event.data) };
    case "pause.requested": {
      const { reason, by } = event.data;
      return { status: "paused", pause: { reason, by, at: event.at } };
    }
    case "log.damaged":
      return { damage: event.data.reason };
    case "goal.submitted":
    // What follows from it is not told by facts: the view is read again.
    case "redrive.requested":
    case "resume.requested":
    case "cancel.requested":
    case "draft.abandoned":
    case "approval.decided":
    case "fact.recorded":
    case "call.started":
    case "turn.taken":
    case "revision.requested":
    case "join.abandoned":
    case "nodes.valued":
    case "step.reviewed":
    case "plan.reviewed":
    case "answer.reviewed":
    case "answer.drafted":
    case "feedback.given":
    case "timer.fired":
    case "plan.archived":
      return {};
    default:
      event satisfies never;
      return {};
  }
}

type RunEvent = Extract<PlanEvent, { type: "step.started" | "step.succeeded" | "step.failed" }>;

function runStep(step: StepView, event: RunEvent): StepView {
  // What one of a list has come to is not what the step has: the view is read again.
  if (step.forEach !== undefined) return step;
  const { attempt, workerId } = event.data;
  const ran = { ...step, attempt, workerId };
  switch (event.type) {
    case "step.started":
      return { ...ran, status: "running", startedAt: event.at };
    case "step.succeeded": {
      const { output, startedAt, durationMs } = event.data;
      return { ...ran, status: "succeeded", output, startedAt, durationMs, endedAt: event.at };
    }
    case "step.failed": {
      const { error, retryable, startedAt, durationMs } = event.data;
      if (retryable) return { ...ran, status: "waiting", waitingFor: "retry" };
      return { ...ran, status: "failed", error, startedAt, durationMs, endedAt: event.at };
    }
    default:
      event satisfies never;
      return step;
  }
}

/** One of a list may wait while the others run. */
function awaitApproval(step: StepView): StepView {
  return step.forEach === undefined ? { ...step, status: "awaiting-approval" } : step;
}

function skipSteps(
  steps: readonly StepView[],
  { stepIds, reason }: Extract<PlanEvent, { type: "step.skipped" }>["data"],
): StepView[] {
  const skipped = new Set<string>(stepIds);
  return steps.map((step) => (skipped.has(step.id) ? { ...step, status: "skipped", reason } : step));
}

function changeStep(
  steps: readonly StepView[],
  stepId: string,
  change: (step: StepView) => StepView,
): StepView[] {
  return steps.map((step) => (step.id === stepId && !isSettled(step) ? change(step) : step));
}

/** The percentage and the estimate are left to the gateway: they must not fall or jump. */
function progressOf(view: PlanView): PlanView["progress"] {
  return { ...view.progress, done: view.steps.filter(isSettled).length, total: view.steps.length };
}
