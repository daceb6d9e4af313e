/**
 * What the dispatcher owes a plan: which work to send, which events to record, which timers to set.
 *
 * Invariants:
 *   OWED-1. What is owed is derived from the plan's state alone, here and nowhere else: a dispatcher that takes the plan
 *           over owes it the same.
 *   OWED-2. `newlyOwed` returns what `owed` returns for a plan but not for the plan before its last event. Its cost is
 *           proportional to what the event changed.
 */
import {
  isEnded,
  isHalted,
  type KnownPlan,
  type Plan,
  type StepEntry,
  type SubPlan,
} from "../machine/plan-state.ts";
import type { RunName, StepId } from "../values/ids.ts";
import type { Deadline } from "../events/outcome-events.ts";
import type { UnitId } from "../events/values.ts";
import { mayStart } from "./may-start.ts";
import { APPROVAL_TIMER, approvalTimer, isPending } from "../machine/approval/approval-transitions.ts";
import { holderOf } from "../machine/budget/budget-ledger.ts";
import { isSameAttempt } from "../machine/step/attempts.ts";
import { currentCompensation } from "../machine/step/compensations.ts";
import { critiqueHolder } from "../machine/review/critique-state.ts";
import type { ToProcess } from "../machine/knowledge.ts";
import { allRuns, nameOf, runNamed } from "../machine/step/runs.ts";
import { isUndecided } from "../machine/step/step-state.ts";
import { verdictOf } from "../machine/links/verdict.ts";
import { openGate } from "../machine/approval/open-gate.ts";

export type Owed =
  /** Send the step to a worker. */
  | (RunName & { readonly kind: "run" })
  /** Send a unit to a worker. */
  | { readonly kind: "unit"; readonly unit: UnitId }
  /** Send the compensation of the step to a worker. */
  | { readonly kind: "undo"; readonly stepId: StepId }
  /** Tell a sub-plan to run or to stop. */
  | { readonly kind: "sub-plan"; readonly stepId: StepId; readonly item: number; readonly attempt: number }
  /** Notify workers that their work may no longer be needed: only a hint. */
  | { readonly kind: "stop" }
  | { readonly kind: "draft" }
  | { readonly kind: "join" }
  /** Have a draft, of the plan or of its answer, reviewed as a whole. */
  | { readonly kind: "critique" }
  | { readonly kind: "review"; readonly stepId: StepId }
  /** Have facts extracted from an output. */
  | { readonly kind: "process"; readonly output: ToProcess }
  | { readonly kind: "timer"; readonly timer: string; readonly at: string; readonly deadline?: Deadline }
  /** Record that the dependents of a lost step are skipped. */
  | { readonly kind: "skip"; readonly because: StepId }
  /** Record why a step whose dependencies have finished does not run. */
  | { readonly kind: "verdict"; readonly stepId: StepId }
  /** Request approval of a step or its compensation, or a decision on its unknown outcome. */
  | (RunName & { readonly kind: "approval"; readonly undo?: true })
  /** Request approval of the plan. */
  | { readonly kind: "plan-approval" }
  /** Request a larger budget. */
  | { readonly kind: "budget" }
  | { readonly kind: "answer" }
  | { readonly kind: "end" };

/**
 * Everything that is owed to a plan, whether it was already done or not: the work of a dispatcher that takes the plan over or
 * resumes it.
 */
export function owed(plan: KnownPlan): Owed[] {
  if (isEnded(plan)) return [];
  const all: Owed[] = [];
  for (const entry of allRuns(plan)) {
    const one = owedToRun(plan, entry);
    if (one !== undefined) all.push(one);
  }
  if (!isHalted(plan)) for (const unit of plan.units.keys()) all.push({ kind: "unit", unit });
  for (const because of plan.unskipped.keys()) all.push({ kind: "skip", because });
  all.push(...timersOf(plan));
  for (const subPlan of plan.subPlans.values()) if (isToldNow(plan, subPlan)) all.push(ofSubPlan(subPlan));
  if (!isHalted(plan)) {
    for (const output of plan.knowledge.processing.values()) all.push({ kind: "process", output });
  }
  for (const { one } of owedToWhole(plan)) all.push(one);
  return all;
}

/**
 * Returns what is owed because of the last event.
 *
 * @param before - The plan before that event.
 */
export function newlyOwed(before: Plan, after: KnownPlan): Owed[] {
  if (isEnded(after) || before === after) return [];
  const earlier = before.status === "absent" ? undefined : before;
  const found: Owed[] = after.changes.stop ? [{ kind: "stop" }] : [];
  if (earlier !== undefined && isHalted(earlier) && !isHalted(after)) {
    return [...found, ...owedAfterHalt(earlier, after)];
  }
  addChangedRuns(found, earlier, after);
  for (const unit of after.changes.units) found.push({ kind: "unit", unit });
  for (const because of after.changes.lost) {
    if (after.unskipped.has(because)) found.push({ kind: "skip", because });
  }
  addChangedTimers(found, earlier, after);
  addChangedSubPlans(found, earlier, after);
  if (!isHalted(after)) {
    for (const key of after.changes.outputs) {
      const output = after.knowledge.processing.get(key);
      if (output !== undefined) found.push({ kind: "process", output });
    }
  }
  const whole = owedToWhole(after);
  if (whole.length === 0) return found;
  const known = earlier === undefined ? [] : owedToWhole(earlier);
  for (const { id, one } of whole) if (!known.some((other) => other.id === id)) found.push(one);
  return found;
}

/** Timers due at or before `nowMs` (milliseconds since the epoch, by the server's clock) that the server has not fired. */
export function overdueTimers(plan: KnownPlan, nowMs: number): Owed[] {
  return isEnded(plan) ? [] : timersOf(plan).filter(({ at }) => Date.parse(at) <= nowMs);
}

/** What is owed when a halted plan resumes: held work, and sent work that may have been refused; not work that has begun. */
function owedAfterHalt(before: KnownPlan, after: KnownPlan): Owed[] {
  const had = new Set(owed(before).map((one) => JSON.stringify(one)));
  return owed(after).filter((one) => {
    if (one.kind !== "run") return !had.has(JSON.stringify(one));
    const state = runNamed(after, one)?.state;
    return state?.status === "running" && state.startedAt === undefined;
  });
}

function addChangedRuns(found: Owed[], before: KnownPlan | undefined, after: KnownPlan): void {
  const seen = new Set<StepEntry>();
  for (const name of after.changes.runs) {
    const entry = runNamed(after, name);
    if (entry === undefined || seen.has(entry)) continue;
    seen.add(entry);
    const one = owedToRun(after, entry);
    if (one === undefined) continue;
    const earlier = before === undefined ? undefined : runNamed(before, name);
    const isSame =
      before !== undefined && earlier !== undefined && isOwedTheSame(before, earlier, { after, entry });
    if (!isSame) found.push(one);
  }
}

/** What the dispatcher owes a run, if anything. */
function owedToRun(plan: KnownPlan, entry: StepEntry): Owed | undefined {
  const { state, step } = entry;
  switch (state.status) {
    case "running":
      // A unit is sent as a whole.
      if (state.stopping !== undefined || state.unit !== undefined || isHalted(plan)) return undefined;
      return { kind: "run", ...nameOf(entry) };
    case "reviewing":
      return state.for === undefined && !isHalted(plan) ? { kind: "review", stepId: step.id } : undefined;
    case "awaiting-approval":
      return { kind: "approval", ...nameOf(entry) };
    case "waiting":
      return isUndecided(state) ? { kind: "verdict", stepId: step.id } : undefined;
    default:
      return undefined;
  }
}

/** Whether the same was owed to the run before: the same attempt, review, request or verdict. */
function isOwedTheSame(
  before: KnownPlan,
  { state: earlier, ...rest }: StepEntry,
  { after, entry }: { readonly after: KnownPlan; readonly entry: StepEntry },
): boolean {
  const { state } = entry;
  if (earlier.status === "running" && state.status === "running") {
    return isSameAttempt(earlier, state) && earlier.sentAfter === state.sentAfter;
  }
  if (earlier.status === "reviewing" && state.status === "reviewing") {
    const isAsked = earlier.for === undefined;
    return isAsked && earlier.attempt === state.attempt && earlier.review === state.review;
  }
  if (earlier.status === "awaiting-approval" && state.status === "awaiting-approval") {
    return earlier.approvalId === state.approvalId;
  }
  if (!isUndecided(earlier) || !isUndecided(state)) return false;
  return verdictOf(before, { ...rest, state: earlier }).kind === verdictOf(after, entry).kind;
}

type TimerOwed = Extract<Owed, { kind: "timer" }>;

/** Every timer that a plan waits for. */
function timersOf(plan: KnownPlan): TimerOwed[] {
  const timers = [...plan.timers].map(([timer, { at }]): TimerOwed => ({ kind: "timer", timer, at }));
  for (const { approvalId } of plan.approvals.values()) {
    const expiry = expiryOfApproval(plan, approvalId);
    if (expiry !== undefined) timers.push(expiry);
  }
  if (plan.budget?.deadline !== undefined) timers.push({ kind: "timer", ...plan.budget.deadline });
  if (plan.watch !== undefined) timers.push({ kind: "timer", ...plan.watch });
  return timers;
}

function addChangedTimers(found: Owed[], before: KnownPlan | undefined, after: KnownPlan): void {
  const { budget, watch, changes } = after;
  for (const timer of changes.timers) {
    const at = after.timers.get(timer)?.at;
    const approvalId = timer.startsWith(APPROVAL_TIMER) ? timer.slice(APPROVAL_TIMER.length) : undefined;
    const expiry = approvalId === undefined ? undefined : expiryOfApproval(after, approvalId);
    if (at !== undefined) found.push({ kind: "timer", timer, at });
    else if (expiry !== undefined) found.push(expiry);
  }
  if (budget?.deadline !== undefined && budget.deadline !== before?.budget?.deadline) {
    found.push({ kind: "timer", ...budget.deadline });
  }
  if (watch !== undefined && watch !== before?.watch) found.push({ kind: "timer", ...watch });
}

function expiryOfApproval(plan: KnownPlan, approvalId: string): TimerOwed | undefined {
  const approval = plan.approvals.get(approvalId);
  if (approval === undefined || !isPending(plan, approval)) return undefined;
  return { kind: "timer", timer: approvalTimer(approvalId), at: approval.expiresAt };
}

function addChangedSubPlans(found: Owed[], before: KnownPlan | undefined, after: KnownPlan): void {
  if (after.subPlans === before?.subPlans) return;
  for (const [key, subPlan] of after.subPlans) {
    if (before?.subPlans.get(key) !== subPlan && isToldNow(after, subPlan)) found.push(ofSubPlan(subPlan));
  }
}

function isToldNow(plan: KnownPlan, { stop }: SubPlan): boolean {
  return stop !== undefined || !isHalted(plan);
}

function ofSubPlan({ stepId, item, attempt }: SubPlan): Owed {
  return { kind: "sub-plan", stepId, item, attempt };
}

/** What is owed to the plan as a whole. Two entries with the same id are the same. */
type OwedToWhole = { readonly id: string; readonly one: Owed };

function owedToWhole(plan: KnownPlan): OwedToWhole[] {
  const all: OwedToWhole[] = [];
  const gate = openGate(plan);
  if (gate !== undefined) all.push({ id: gate.approvalId, one: { kind: "plan-approval" } });
  const { asking } = plan.budget ?? {};
  if (asking !== undefined && plan.conclusion === undefined) {
    all.push({ id: asking.approvalId, one: { kind: "budget" } });
  }
  if (isHalted(plan)) return all;
  const undo = owedToCompensation(plan);
  if (undo !== undefined) all.push(undo);
  if (plan.undoing + plan.stopping > 0) return all;
  const { conclusion } = plan;
  if (conclusion === undefined) {
    const next = nextModelCall(plan);
    if (next !== undefined && mayStart(plan.budget, next.holder)) all.push(next);
  } else if (plan.subPlans.size === 0) {
    const kind = conclusion.answerRecorded ? "end" : "answer";
    all.push({ id: kind, one: { kind } });
  }
  return all;
}

function owedToCompensation(plan: KnownPlan): OwedToWhole | undefined {
  const { stepId, state } = currentCompensation(plan) ?? {};
  if (stepId === undefined) return undefined;
  if (state?.status === "running") {
    return { id: `undo/${stepId}/${state.attempt}`, one: { kind: "undo", stepId } };
  }
  if (state?.status !== "awaiting-approval") return undefined;
  return { id: state.approvalId, one: { kind: "approval", stepId, undo: true } };
}

/** The model call that the plan waits for, and the name under which the budget reserves its allowance. */
function nextModelCall(plan: KnownPlan): (OwedToWhole & { readonly holder: string }) | undefined {
  const { drafting, joining, critique } = plan;
  if (drafting.phase === "requested") {
    const holder = holderOf.draft(drafting.number);
    return { id: holder, holder, one: { kind: "draft" } };
  }
  if (joining.phase === "requested") {
    const holder = holderOf.join(joining.number);
    return { id: holder, holder, one: { kind: "join" } };
  }
  if (critique === undefined) return undefined;
  const holder = critiqueHolder(critique);
  return { id: holder, holder, one: { kind: "critique" } };
}
