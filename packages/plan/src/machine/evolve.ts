/**
 * The plan's state machine: pure, total, and safe to replay.
 *
 * Invariants:
 *   EVOLVE-1. `evolve` never throws. An event that does not apply (repeated, late, or of an older attempt or
 *       draft) returns the same plan object, except for the effect ledger, which records what a late
 *       outcome says about an effect.
 *   EVOLVE-2. A settled step never changes again, and neither does an ended plan, except for the effect ledger and the
 *       users' feedback. The one exception: a dead-lettered step can be retried, together with the steps that were
 *       skipped because of it, provided that its failure has had no consequences.
 *   EVOLVE-3. No step runs before all its dependencies have succeeded or were skipped because they were not needed.
 *   EVOLVE-4. `seq` grows by one for each event that is accepted, and for no other.
 *   EVOLVE-5. No clock, no randomness, no I/O: the log alone decides the plan.
 *   EVOLVE-6. Each event costs O(dependents of its step), whatever the size of the plan.
 *
 * It only records. The dispatcher's work follows from the state: see `decide/owed.ts`.
 */
import { isEnded, type KnownPlan, type NextPlan, noPlan, type Plan } from "./plan-state.ts";
import { comesFromItsPool } from "./comes-from-its-pool.ts";
import { List, Map } from "immutable";
import { waitsAsPlan } from "./approval/approval-gates.ts";
import type { GoalSubmitted } from "../events/control-events.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { NO_USAGE } from "../values/add-usage.ts";
import { onlySink } from "../language/only-sink.ts";
import { draftAnswer, reviewAnswer } from "./review/answer-review.ts";
import { decideApproval, interrupt, requestApproval } from "./approval/approval-transitions.ts";
import { fail, skip, start, succeed } from "./step/attempt-transitions.ts";
import { allot } from "./budget/budget-allotment.ts";
import { openBudget } from "./budget/budget-ledger.ts";
import { isLoopFact, noteCall } from "./loop/call-ledger.ts";
import { undo } from "./step/compensations.ts";
import { concludeWhenSettled, proceedToEnd } from "./ending/conclusion.ts";
import { mayBeOverdue } from "./deadlines.ts";
import { abandonDraft, planStep, sealDraft, startDraft } from "./drafting/draft-transitions.ts";
import { isEffectFact, noteEffect } from "./step/effect-ledger.ts";
import { recordFacts } from "./record-facts.ts";
import { NO_KNOWLEDGE } from "./knowledge.ts";
import {
  abandonJoin,
  answer,
  cancel,
  damage,
  end,
  fire,
  revise,
  withFeedback,
} from "./ending/outcome-transitions.ts";
import { expand } from "./step/item-transitions.ts";
import { NO_CHANGES, openChanges } from "./changes.ts";
import { carryOver, addSteps } from "./step/add-steps.ts";
import { withGrants } from "./step/grants.ts";
import { openPlanGate } from "./approval/plan-gate.ts";
import { reviewPlan } from "./review/plan-review.ts";
import { redrive } from "./step/redrive.ts";
import { requestDraft } from "./drafting/request-draft.ts";
import { valueNodes } from "./drafting/search.ts";
import { delayStart, pause, resume } from "./halt-transitions.ts";
import { reviewStep } from "./review/review-transitions.ts";
import { goOnWithLoop } from "./loop/turns.ts";
import { statusOf } from "./status.ts";
import { NO_SUB_PLANS } from "./sub-plans.ts";
import { closeUnit, fillCapacity, fuseReady, leaveUnits } from "./step/units.ts";
import { settleTies } from "./links/settle-ties.ts";
import { planNextWave } from "./drafting/revisions.ts";
import { withdrawStarts } from "./step/step-transitions.ts";
import { noteTries } from "./model-tries.ts";
import { answerBy, describePlan } from "./drafting/described-plan.ts";

/** Incremented when the same log would be counted differently; stored beside data derived from `seq`. */
export const ACCEPTS_VERSION = 9;

/** Returns the plan after one more event of its log. */
export function evolve(plan: Plan, event: PlanEvent): Plan {
  if (plan.status === "absent") return event.type === "goal.submitted" ? begin(event) : plan;
  if (event.planId !== plan.planId || !comesFromItsPool(plan, event)) return plan;
  if (isEnded(plan)) {
    return event.type === "feedback.given" ? withFeedback(plan, event) : withLateEffect(plan, event);
  }
  const next: NextPlan = { ...plan, seq: plan.seq + 1, updatedAt: event.at, changes: openChanges() };
  if (!apply(next, event)) return withLateEffect(plan, event);
  noteInLedgers(next, event);
  return settled(plan, next);
}

/** Applies the consequences of a change, whatever it was. */
function settled(before: Plan, next: NextPlan): KnownPlan {
  settleTies(next);
  planNextWave(next);
  withdrawStarts(before, next);
  // Before capacity is filled, which depends on the open units; and again after everything that can stop a step.
  leaveUnits(before, next);
  fillCapacity(next);
  concludeWhenSettled(next);
  if (next.budget !== undefined) allot(next);
  leaveUnits(before, next);
  fuseReady(before, next);
  if (next.watch !== undefined && !mayBeOverdue(next)) delete next.watch;
  next.percent = percentOf(next);
  next.status = statusOf(next);
  return next;
}

/** Whether a plan accepts this event: whether it changes the plan, and not only its ledgers. */
export function accepts(plan: Plan, event: PlanEvent): boolean {
  return counts(plan, evolve(plan, event));
}

/** Whether the event between the two plans has its own sequence number: see {@link accepts}. */
export function counts(before: Plan, after: Plan): after is KnownPlan {
  return after.status !== "absent" && (before.status === "absent" || before.seq !== after.seq);
}

/** Returns the plan with its ledgers updated from a late event, which has no other consequences. */
function withLateEffect(plan: KnownPlan, event: PlanEvent): KnownPlan {
  const next: NextPlan = { ...plan, changes: openChanges() };
  return noteInLedgers(next, event) ? { ...next, changes: NO_CHANGES } : plan;
}

/** Returns false if the event adds nothing new about an effect. */
function noteInLedgers(next: NextPlan, event: PlanEvent): boolean {
  const isEffectNoted = noteEffect(next, event);
  return noteCall(next, event) || isEffectNoted;
}

function apply(next: NextPlan, event: PlanEvent): boolean {
  if (isEffectFact(event) && event.data.undo === true) return undoAndProceed(next, event);
  if (isLoopFact(event)) return goOnWithLoop(next, event);
  switch (event.type) {
    case "cancel.requested":
      return cancel(next, event);
    case "pause.requested":
      return pause(next, event);
    case "resume.requested":
      return resume(next, event);
    case "draft.started":
      return next.conclusion === undefined && startDraft(next, event);
    case "step.planned":
      return planStep(next, event);
    case "plan.sealed":
    case "plan.revised":
      return sealDraft(next, event);
    case "draft.abandoned":
      return abandonDraft(next, event);
    case "step.started":
      return start(next, event);
    case "step.succeeded":
      return succeed(next, event);
    case "step.failed":
      return fail(next, event);
    case "step.interrupted":
      return interrupt(next, event);
    case "unit.closed":
      return closeUnit(next, event);
    case "step.skipped":
      return skip(next, event);
    case "step.reviewed":
      return reviewStep(next, event);
    case "plan.reviewed":
      return reviewPlan(next, event);
    case "answer.reviewed":
      return reviewAnswer(next, event);
    case "step.expanded":
      return expand(next, event);
    case "answer.drafted":
      return draftAnswer(next, event);
    case "approval.requested":
      return requestApproval(next, event);
    case "approval.decided":
      return decideApproval(next, event);
    case "answer.given":
      return answer(next, event);
    case "revision.requested":
      return revise(next, event);
    case "nodes.valued":
      return valueNodes(next, event);
    case "join.abandoned":
      return abandonJoin(next, event);
    case "model.failed":
      return noteTries(next, event);
    case "fact.recorded":
      return recordFacts(next, event);
    case "timer.fired":
      return fire(next, event);
    case "plan.ended":
      return end(next, event);
    case "redrive.requested":
      return redrive(next, event);
    case "log.damaged":
      return damage(next, event);
    default:
      event satisfies Uncounted;
      return false;
  }
}

/** Events about a plan as a whole, which do not change a plan before its end. */
type Uncounted = Extract<
  PlanEvent,
  { type: "goal.submitted" | "plan.archived" | "delete.requested" | "plan.deleted" | "feedback.given" }
>;

function undoAndProceed(next: NextPlan, event: Parameters<typeof undo>[1]): boolean {
  if (!undo(next, event)) return false;
  proceedToEnd(next);
  return true;
}

function begin({ planId, at, data }: GoalSubmitted): KnownPlan {
  const next: NextPlan = {
    status: "planning",
    planId,
    seq: 1,
    submittedAt: at,
    updatedAt: at,
    goal: data,
    pauses: 0,
    steps: Map(),
    items: Map(),
    drafting: { number: 0, phase: "sealed", revision: 0, issues: [], repairs: 0, interruptions: 0 },
    joining: { number: 0, phase: "none" },
    revision: 0,
    revisions: [],
    revisionsWanted: [],
    subPlans: NO_SUB_PLANS,
    inFlight: 0,
    queue: List(),
    held: List(),
    units: Map(),
    standIns: Map(),
    unskipped: Map(),
    undecided: Map(),
    timers: Map(),
    watches: 0,
    rounds: 0,
    starts: 0,
    undoable: List(),
    undoing: 0,
    stopping: 0,
    approvals: Map(),
    judging: 0,
    awaiting: 0,
    total: 0,
    done: 0,
    percent: 0,
    usage: NO_USAGE,
    artifacts: List(),
    knowledge: NO_KNOWLEDGE,
    changes: openChanges(),
  };
  const { startAt } = data;
  const startsAt = startAt !== undefined && Date.parse(startAt) > Date.parse(at) ? startAt : undefined;
  if (startsAt !== undefined) delayStart(next, startsAt);
  // The time before the plan starts is not charged to its budget.
  if (data.budget !== undefined) openBudget(next, data.budget, startsAt ?? at);
  beginPlan(next);
  return settled(noPlan, next);
}

function beginPlan(next: NextPlan): void {
  const { goal: data } = next;
  if (data.plan === undefined) {
    requestDraft(next, { ...next.drafting, number: 1 });
    return;
  }
  const { steps, reasoning, confidence } = data.plan;
  carryOver(next, data);
  // The only sink of the rest of a plan is not necessarily the only sink of the whole plan.
  const sink = data.fork === undefined ? onlySink(data.plan.steps) : undefined;
  const answerFrom = data.plan.answerFrom ?? sink;
  answerBy(next, answerFrom);
  describePlan(next, { reasoning, confidence });
  if (waitsAsPlan(data, confidence)) openPlanGate(next, 0);
  addSteps(
    next,
    steps.map((step) => withGrants(data.grants, step)),
    0,
  );
}

function percentOf(next: NextPlan): number {
  if (next.drafting.phase !== "sealed" || next.total === 0) return next.percent;
  const settled = Math.floor((100 * next.done) / next.total);
  return Math.max(next.percent, isEnded(next) ? settled : Math.min(settled, 99));
}
