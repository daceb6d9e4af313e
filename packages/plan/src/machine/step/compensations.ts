/**
 * Compensations: before a plan ends as failed or cancelled, it runs the compensations of its succeeded steps one after
 * the other, the last success first. One that fails permanently is recorded, and the others still run.
 */
import type { Approval, AwaitingApproval, CompensationEntry, KnownPlan, NextPlan } from "../plan-state.ts";
import { List } from "immutable";
import type { StepFailed, StepInterrupted, StepStarted, StepSucceeded } from "../../events/step-events.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { setTimer } from "../changes.ts";
import { endOf, retryAfterFailure, attemptsMaxOf } from "./attempts.ts";
import { countUndoing } from "../budget/budget-ledger.ts";
import { watchAttempt } from "../deadlines.ts";
import { withEffect } from "./effect-ledger.ts";
import { urlRequires } from "../approval/approval-gates.ts";
import { policyRequires } from "../../policy/gates.ts";
import { callOfUndo } from "../../policy/policy-call.ts";
import { addToReason } from "../ending/reason.ts";

/** Of failed compensations, in the reason of a plan's end. */
const NAMED_MAX = 10;
const MESSAGE_CHARS_MAX = 300;

/** Starts the next compensation before the plan ends. By then, every step that had to stop has reported its end. */
export function undoFirst(next: NextPlan): void {
  if (!isUndone(next)) return;
  next.compensations ??= prepare(next);
  const first = next.compensations.find(({ state }) => state.status === "waiting" && state.for === "turn");
  if (next.undoing > 0 && first !== undefined && !isBusy(next)) launch(next, first, 1);
}

/** Whether the plan's end waits for compensations, or for stopped steps that may need one. */
export function awaitsUndoing(plan: Pick<KnownPlan, "conclusion" | "undoing" | "stopping">): boolean {
  return isUndone(plan) && plan.undoing + plan.stopping > 0;
}

/** A plan that ends in any other way keeps its effects. */
function isUndone({ conclusion }: Pick<KnownPlan, "conclusion">): boolean {
  return conclusion?.outcome === "failed" || conclusion?.outcome === "cancelled";
}

/** Returns the compensation that is running, waits for a retry, or awaits a user's decision. */
export function currentCompensation(plan: KnownPlan): CompensationEntry | undefined {
  return plan.compensations?.find(({ state }) => {
    if (state.status === "waiting") return state.for === "retry";
    return state.status === "running" || state.status === "awaiting-approval";
  });
}

/** Returns the compensation that awaits a user's decision: whether it may run, or whether it took effect. */
export function awaitingCompensation(plan: KnownPlan, stepId: StepId): AwaitingUndo | undefined {
  const entry = currentCompensation(plan);
  if (entry?.stepId !== stepId || entry.state.status !== "awaiting-approval") return undefined;
  const { state } = entry;
  return { ...entry, state };
}

type AwaitingUndo = CompensationEntry & { readonly state: AwaitingApproval };

function prepare(next: NextPlan): List<CompensationEntry> {
  const entries = next.undoable.reverse().flatMap((stepId): CompensationEntry[] => {
    const entry = next.steps.get(stepId);
    const { compensate } = entry?.step ?? {};
    if (compensate === undefined || entry?.compensateGrant === undefined) return [];
    const state = { status: "waiting", for: "turn", attempt: 1 } as const;
    return [{ stepId, compensate, grant: entry.compensateGrant, state, failedAttempts: [], effects: [] }];
  });
  next.undoing = entries.size;
  next.total += entries.size;
  return entries;
}

function isBusy(plan: KnownPlan): boolean {
  return currentCompensation(plan) !== undefined;
}

function launch(next: NextPlan, entry: CompensationEntry, attempt: number): void {
  if (entry.approved === undefined && isGated(next, entry)) {
    const approvalId = `risk-${entry.stepId}-undo`;
    const about = { kind: "tool-risk" } as const;
    replace(next, { ...entry, state: { status: "awaiting-approval", attempt, approvalId, about } });
    return;
  }
  replace(next, { ...entry, state: { status: "running", attempt, sentAfter: 0 } });
}

/**
 * Whether a compensation needs approval, because of the installation's policy or a URL that a model composed. The
 * submission's settings do not apply: compensations undo what was approved.
 */
function isGated(next: NextPlan, entry: CompensationEntry): boolean {
  const call = callOfUndo(next, entry);
  return (
    policyRequires(next.goal.policy, { ...call, risk: entry.grant.risk }) || urlRequires(next.goal, call)
  );
}

/** Starts the next attempt of a compensation, whose timer has fired. */
export function undoAgain(next: NextPlan, stepId: StepId): void {
  const entry = currentCompensation(next);
  if (entry?.stepId === stepId && entry.state.status === "waiting") launch(next, entry, entry.state.attempt);
}

type UndoFact = StepStarted | StepSucceeded | StepFailed | StepInterrupted;

/** Records what a worker reports about a compensation. The caller then continues with the plan's end. */
export function undo(next: NextPlan, event: UndoFact): boolean {
  const entry = currentCompensation(next);
  const { data, at } = event;
  if (entry?.stepId !== data.stepId || entry.state.attempt !== data.attempt) return false;
  const { state } = entry;
  // An outcome that was presumed lost can still arrive.
  const isOpen = state.status === "running" || state.status === "awaiting-approval";
  if (!isOpen) return false;
  switch (event.type) {
    case "step.started": {
      if (state.status !== "running") return false;
      const { workerId, delivery } = event.data;
      if (state.startedAt !== undefined && delivery <= (state.delivery ?? 1)) return false;
      next.starts += 1;
      const begun = { ...state, startedAt: at, workerId, delivery, start: next.starts };
      const started = { ...entry, state: begun };
      replace(next, started);
      watchAttempt(next, started);
      return true;
    }
    case "step.succeeded": {
      countUndoing(next, event.data.usage);
      const { output } = event.data;
      settleUndo(next, { ...entry, state: { status: "succeeded", ...endOf(event.data, at), output } });
      return true;
    }
    case "step.failed":
      countUndoing(next, event.data.usage);
      failUndo(next, entry, event);
      return true;
    case "step.interrupted":
      return interruptUndo(next, entry, event);
    default:
      event satisfies never;
      return false;
  }
}

/** The compensation may have taken effect: a user decides, as for a step. */
export function interruptUndo(
  next: NextPlan,
  entry: CompensationEntry,
  { data, at }: Pick<StepInterrupted, "data" | "at">,
): boolean {
  const { stepId, state } = entry;
  if (state.status !== "running") return false;
  const { attempt, message, workerId } = data;
  const about = { kind: "outcome-unknown", message, workerId, startedAt: state.startedAt ?? at } as const;
  const approvalId = `unknown-${stepId}-undo-${attempt}`;
  replace(next, { ...entry, state: { status: "awaiting-approval", attempt, approvalId, about } });
  return true;
}

/** Applies a user's decision, or its expiry, to a compensation with an unknown outcome. The caller then ends the plan. */
export function decideUndo(next: NextPlan, entry: AwaitingUndo, decided: UndoDecision): void {
  const { attempt, about } = entry.state;
  const { at, by } = decided;
  if (about.kind !== "outcome-unknown") {
    decideGate(next, entry, decided);
    return;
  }
  const { message, workerId, startedAt } = about;
  const end = endOf({ attempt, workerId, startedAt, durationMs: 0 }, at);
  const error = { code: "outcome_unknown", message };
  if (decided.decision === "happened") {
    const done = withEffect(entry, { attempt, status: "done", at, by });
    const output = { value: decided.output ?? null };
    settleUndo(next, { ...done, state: { status: "succeeded", ...end, output } });
  } else if (decided.decision === "run-again" && attempt < LIMITS.attemptsMax) {
    const failedAttempts = [...entry.failedAttempts, { attempt, error, at, retryAt: at }];
    launch(next, { ...entry, failedAttempts }, attempt + 1);
  } else settleUndo(next, { ...entry, state: { status: "failed", ...end, error } });
}

function decideGate(
  next: NextPlan,
  entry: AwaitingUndo,
  { decision, edits, at, by, reason }: UndoDecision,
): void {
  const { attempt, approvalId } = entry.state;
  if (decision === "approve") {
    const args = edits ?? next.approvals.get(approvalId)?.args ?? {};
    launch(next, { ...entry, approved: { approvalId, args } }, attempt);
    return;
  }
  const end = endOf({ attempt, workerId: by, startedAt: at, durationMs: 0 }, at);
  const said = reason === undefined ? by : `${by}: ${reason}`;
  const error = { code: "approval_rejected", message: `rejected by ${said}` };
  settleUndo(next, { ...entry, state: { status: "failed", ...end, error } });
}

type UndoDecision = NonNullable<Approval["decided"]>;

export function failUndo(
  next: NextPlan,
  entry: CompensationEntry,
  { data, at }: Pick<StepFailed, "data" | "at">,
): void {
  const { stepId, compensate, grant } = entry;
  if (!data.retryable || data.attempt >= attemptsMaxOf(compensate, grant)) {
    settleUndo(next, { ...entry, state: { status: "failed", ...endOf(data, at), error: data.error } });
    return;
  }
  const failure = retryAfterFailure({ data, at }, `${next.planId}/${stepId}/undo`, compensate.retry);
  const attempt = data.attempt + 1;
  const timer = `retry-${stepId}-undo-${attempt}`;
  setTimer(next, timer, { kind: "undo", stepId, at: failure.retryAt });
  const state = { status: "waiting", for: "retry", attempt } as const;
  replace(next, { ...entry, state, failedAttempts: [...entry.failedAttempts, failure] });
}

function settleUndo(next: NextPlan, entry: CompensationEntry): void {
  replace(next, entry);
  next.undoing -= 1;
  next.done += 1;
  if (next.undoing === 0) addToReason(next, notUndone(next));
}

/** Says which compensations have failed, as a clause; returns nothing if none has. */
function notUndone({ compensations = List() }: KnownPlan): string[] {
  const failed = compensations
    .toArray()
    .flatMap(({ stepId, state }) =>
      state.status === "failed" ? [`${stepId} (${state.error.message.slice(0, MESSAGE_CHARS_MAX)})`] : [],
    );
  if (failed.length === 0) return [];
  const named = failed.slice(0, NAMED_MAX);
  if (failed.length > named.length) named.push(`${failed.length - named.length} more`);
  return [`${failed.length} of ${compensations.size} compensations failed: ${named.join(", ")}`];
}

function replace(next: NextPlan, entry: CompensationEntry): void {
  next.compensations = next.compensations?.map((one) => (one.stepId === entry.stepId ? entry : one));
}
