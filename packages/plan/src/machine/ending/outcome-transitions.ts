/** Answers, revisions, cancellation, timers and the end. */
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type { CancelRequested } from "../../events/control-events.ts";
import { MODEL_UNAVAILABLE } from "../../values/codes.ts";
import type {
  AnswerGiven,
  Deadline,
  JoinAbandoned,
  PlanEnded,
  RevisionRequested,
  TimerFired,
} from "../../events/outcome-events.ts";
import { answerInstead } from "./answer-from.ts";
import { NO_CHANGES, dropTimer, hintStop } from "../changes.ts";
import { APPROVAL_TIMER, expireApproval } from "../approval/approval-transitions.ts";
import { LIMITS } from "../../values/limits.ts";
import { keepAnswer, partialAnswer } from "./partial-answer.ts";
import { draftedAnswer } from "../review/answer-drafts.ts";
import { expireBudget } from "../budget/budget-allotment.ts";
import { GROWS } from "../budget/budget-needs.ts";
import type { LogDamaged } from "../../events/plan-event.ts";
import { conclude, failureAnswer, proceedToEnd } from "./conclusion.ts";
import { endJoin, isRequested } from "./joins.ts";
import { pauseForModel } from "../model-outage.ts";
import { closeDraft, requestDraft } from "../drafting/request-draft.ts";
import { dropCritique } from "../review/critiques.ts";
import { requestRevision } from "../drafting/revisions.ts";
import { strategyOf } from "../drafting/strategies.ts";
import { undoAgain } from "../step/compensations.ts";
import { endRound, mayBeOverdue, startedAs, watchRest } from "../deadlines.ts";
import { expireAttempt } from "../step/expire-attempt.ts";
import { resumeAfterOutage, startNow } from "../halt-transitions.ts";
import { runNamed } from "../step/runs.ts";
import { makeReady } from "../step/step-transitions.ts";
import { giveUpSubPlans } from "../sub-plans.ts";
import { stopPlan } from "../stop-plan.ts";
import type { FeedbackGiven } from "../../events/feedback-events.ts";

/**
 * Ends the plan in the view immediately; the dispatcher only has to record the end. Too late once the end is decided,
 * unless the plan is paused: then that end has not taken effect yet.
 */
export function cancel(next: NextPlan, { data }: CancelRequested): boolean {
  const { conclusion } = next;
  if (conclusion !== undefined && next.pause === undefined) return false;
  stopPlan(next, `the plan was cancelled: ${data.reason}`);
  const kept = conclusion?.answerRecorded === true ? conclusion.answer : undefined;
  if (kept !== undefined) keepAnswer(next, kept);
  conclude(next, { ending: "cancelled", reason: data.reason, answerRecorded: true });
  return true;
}

/**
 * Ends a plan whose log is incomplete before any more work is based on it. If its end is already decided, it is only
 * marked as damaged.
 */
export function damage(next: NextPlan, { data }: LogDamaged): boolean {
  if (next.damage !== undefined) return false;
  next.damage = data.reason;
  if (next.conclusion !== undefined) return true;
  const reason = `the plan's log is damaged: ${data.reason}`;
  stopPlan(next, reason);
  conclude(next, { ending: "damaged", reason, answer: failureAnswer(next, reason) });
  return true;
}

export function answer(next: NextPlan, { data }: AnswerGiven): boolean {
  if (data.join !== undefined) return answerJoin(next, data.join, data);
  if (next.conclusion === undefined || next.conclusion.answerRecorded) return false;
  next.conclusion = { ...next.conclusion, answer: data.answer, answerRecorded: true };
  proceedToEnd(next);
  return true;
}

function answerJoin(next: NextPlan, join: number, data: AnswerGiven["data"]): boolean {
  if (!isRequested(next, join)) return false;
  const { answer } = data;
  endJoin(next, join, data);
  const instead = answerInstead(next);
  if (instead !== undefined) {
    conclude(next, { ending: "incomplete", reason: instead.reason, answer, answerRecorded: true });
    return true;
  }
  const isFailed = answer.status === "failed";
  const reason = isFailed ? "the results do not answer the goal" : "the results were reviewed";
  conclude(next, { ending: "complete", reason, answer, answerRecorded: true });
  return true;
}

export function revise(next: NextPlan, { data }: RevisionRequested): boolean {
  if (!isRequested(next, data.join)) return false;
  endJoin(next, data.join, data);
  keepAnswer(next, data.answer);
  const strategy = strategyOf(next);
  if (strategy.proceedRejected(next, data.reason)) return true;
  if (strategy.draftsWholePlans && strategy.triesLeft(next) > 0) {
    requestRevision(next, { cause: "results", reason: data.reason });
    return true;
  }
  const reason = strategy.exhausted(next, data.reason);
  const status = data.answer.sources.length > 0 ? "partial" : "failed";
  conclude(next, { ending: "incomplete", reason, answer: { ...data.answer, status } });
  return true;
}

/** Requests the synthesis again, with a larger allowance if the last one was too small. */
export function abandonJoin(next: NextPlan, { data, at }: JoinAbandoned): boolean {
  if (!isRequested(next, data.join)) return false;
  const spent = data.cause === "allowance_spent" ? GROWS.join : undefined;
  endJoin(next, data.join, { ...data, spent });
  if (data.cause === MODEL_UNAVAILABLE) {
    const { message, retryAfterMs } = data;
    if (!pauseForModel(next, { message, at, retryAfterMs })) answerUnjudged(next, message);
    return true;
  }
  if (data.join <= LIMITS.joinsMax) return true;
  const reason = `the results could not be judged: ${data.message}`;
  conclude(next, { ending: "incomplete", reason, answer: partialAnswer(next, `${reason}.`) });
  return true;
}

/** The model server has used up its retries: the plan keeps an earlier answer, else the raw results. */
function answerUnjudged(next: NextPlan, message: string): void {
  const reason = `the results could not be reviewed: ${message}`;
  const given = draftedAnswer(next) ?? partialAnswer(next, `T${reason.slice(1)}.`);
  conclude(next, { ending: "incomplete", reason, answer: given });
}

export function fire(next: NextPlan, { data, at }: TimerFired): boolean {
  if (data.timer.startsWith(APPROVAL_TIMER)) {
    return expireApproval(next, data.timer.slice(APPROVAL_TIMER.length), at);
  }
  if (data.deadline !== undefined) return expireAttempts(next, data.deadline, at);
  if (expireBudget(next, data.timer)) return true;
  const timer = next.timers.get(data.timer);
  if (timer === undefined) return false;
  dropTimer(next, data.timer);
  switch (timer.kind) {
    case "draft":
      requestDraft(next, next.drafting);
      return true;
    case "start":
      startNow(next);
      return true;
    case "model":
      resumeAfterOutage(next, timer.pause);
      return true;
    case "sub-plans":
      giveUpSubPlans(next);
      proceedToEnd(next);
      return true;
    case "undo":
      undoAgain(next, timer.stepId);
      return true;
    case "retry": {
      const entry = runNamed(next, timer);
      if (entry?.state.status === "waiting") makeReady(next, entry, entry.state.attempt);
      return true;
    }
    default:
      timer satisfies never;
      return true;
  }
}

/** Expires the attempts whose deadline has passed. Returns whether the deadline was the next one. */
function expireAttempts(next: NextPlan, { round, starts }: Deadline, at: string): boolean {
  if (round !== next.rounds + 1 || !mayBeOverdue(next)) return false;
  endRound(next, round);
  const overdue = startedAs(next, new Set(starts));
  if (overdue.length > 0) hintStop(next);
  for (const entry of overdue) expireAttempt(next, entry, at);
  watchRest(next);
  return true;
}

export function end(next: NextPlan, { data, at }: PlanEnded): boolean {
  // A log that ends a plan whose draft is still under review does not come from the dispatcher, but is accepted.
  dropCritique(next);
  if (next.drafting.phase === "reviewing") closeDraft(next);
  next.endedAt = at;
  next.conclusion = { answerRecorded: true, ...next.conclusion, outcome: data.outcome, reason: data.reason };
  return true;
}

/** Returns the ended plan with the feedback, or the same object when the feedback is late or repeated. */
export function withFeedback(plan: KnownPlan, { data, at }: FeedbackGiven): KnownPlan {
  if (data.number !== (plan.feedback?.number ?? 0) + 1) return plan;
  return { ...plan, feedback: { ...data, at }, changes: NO_CHANGES };
}
