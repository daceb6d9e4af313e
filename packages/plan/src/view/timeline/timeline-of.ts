import type { PlanEvent } from "../../events/plan-event.ts";
import { expand, fail, review, skip, start, succeed } from "./attempt-facts.ts";
import type { Course } from "./course.ts";
import { type Fold, newFold, type StepFold } from "./fold.ts";
import { ask, beginCall, interrupt, startTurn, takeTurn } from "./loop-facts.ts";
import {
  abandonDraft,
  answer,
  begin,
  decideApproval,
  endPlan,
  fire,
  pause,
  planStep,
  requestApproval,
  resume,
  reviewPlan,
  sealDraft,
  startDraft,
  stop,
} from "./plan-facts.ts";
import { redrive } from "./redrive.ts";
import type { Bar, StepTimes, Timeline } from "./timeline.ts";

/**
 * Where a plan's time went, by its log: see `timeline.ts` for what is told apart, and what is not.
 *
 * Linear in the facts, but for what one fact changes of many steps. Nothing is remembered between two calls, so that
 * the same facts always give the same timeline.
 *
 * @param events - The facts that the plan counts, from its first one on, in order; facts of other plans do not belong here.
 * @returns Undefined when the first fact is not among them: nothing can be told without it.
 */
export function timelineOf(events: Iterable<PlanEvent>): Timeline | undefined {
  let fold: Fold | undefined;
  for (const event of events) {
    if (fold === undefined) {
      if (event.type !== "goal.submitted") return undefined;
      fold = newFold(event);
      begin(fold);
      continue;
    }
    const atMs = Math.max(0, Date.parse(event.at) - fold.zeroMs);
    fold.lastMs = Math.max(fold.lastMs, atMs);
    takeIn(fold, event, atMs);
  }
  return fold && shown(fold);
}

function takeIn(fold: Fold, event: PlanEvent, atMs: number): void {
  if (fold.endedMs !== undefined) return;
  switch (event.type) {
    case "draft.started":
      return startDraft(fold, event, atMs);
    case "step.planned":
      return planStep(fold, event, atMs);
    case "plan.sealed":
    case "plan.revised":
      return sealDraft(fold, event, atMs);
    case "draft.abandoned":
      return abandonDraft(fold, event, atMs);
    case "plan.reviewed":
      return reviewPlan(fold, event, atMs);
    case "approval.requested":
      return requestApproval(fold, event, atMs);
    case "approval.decided":
      return decideApproval(fold, event, atMs);
    case "pause.requested":
      return pause(fold, event, atMs);
    case "resume.requested":
      return resume(fold, event, atMs);
    case "cancel.requested":
    case "log.damaged":
      return stop(fold, event.data.reason, atMs);
    case "timer.fired":
      return fire(fold, event, atMs);
    case "answer.given":
      return answer(fold, event, atMs);
    case "plan.ended":
      return endPlan(fold, event, atMs);
    default:
      return takeInStep(fold, event, atMs);
  }
}

function takeInStep(fold: Fold, event: PlanEvent, atMs: number): void {
  switch (event.type) {
    case "step.started":
      return start(fold, event, atMs);
    case "step.succeeded":
      return succeed(fold, event, atMs);
    case "step.failed":
      return fail(fold, event, atMs);
    case "step.asked":
      return ask(fold, event);
    case "step.interrupted":
      return interrupt(fold, event, atMs);
    case "step.reviewed":
      return review(fold, event, atMs);
    case "step.expanded":
      return expand(fold, event, atMs);
    case "step.skipped":
      return skip(fold, event, atMs);
    case "turn.started":
      return startTurn(fold, event, atMs);
    case "call.started":
      return beginCall(fold, event, atMs);
    case "turn.taken":
      return takeTurn(fold, event, atMs);
    case "redrive.requested":
      return redrive(fold, event, atMs);
    default:
      // What else is said of a plan takes no step's time.
      return undefined;
  }
}

function shown(fold: Fold): Timeline {
  const { zeroMs, lastMs, endedMs, marks, spans } = fold;
  const steps = Array.from(fold.steps.values(), timesOf);
  const end = endedMs === undefined ? {} : { endedMs };
  return { submittedAtMs: zeroMs, lastMs, ...end, steps, marks, spans };
}

function timesOf({ step, needs, run, items, undo }: StepFold): StepTimes {
  const { id: stepId, description, tool } = step;
  const about = { stepId, description, tool, needs };
  return {
    ...barOf(run),
    ...about,
    items: items.map(barOf),
    ...(undo === undefined ? {} : { undo: barOf(undo) }),
  };
}

function barOf({ startMs, segments, open, status, child }: Course & { readonly child?: string }): Bar {
  const shownSegments = open === undefined ? segments : [...segments, open];
  const endMs = segments.at(-1)?.endMs ?? startMs;
  return {
    startMs,
    status,
    segments: [...shownSegments],
    ...(open === undefined ? { endMs } : {}),
    ...(child === undefined ? {} : { child }),
  };
}
