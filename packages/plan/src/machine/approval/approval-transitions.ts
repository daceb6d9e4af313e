/** How approvals move: required by a step's state → requested by the dispatcher → decided by a user, or expired. */
import {
  type Approval,
  type AwaitingApproval,
  isEnded,
  type KnownPlan,
  type NextPlan,
  type StepEntry,
} from "../plan-state.ts";
import type { ApprovalDecided, ApprovalRequested } from "../../events/approval-events.ts";
import type { StepInterrupted } from "../../events/step-events.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { decideCall } from "../loop/turns.ts";
import { grantMore, refuseMore } from "../budget/budget-ask.ts";
import { forfeitReserve, holderOf } from "../budget/budget-ledger.ts";
import { withEffect } from "../step/effect-ledger.ts";
import { giveUpStopping, openAttempt } from "../step/attempt-transitions.ts";
import { endOf } from "../step/attempts.ts";
import { awaitingCompensation, decideUndo } from "../step/compensations.ts";
import { proceedToEnd } from "../ending/conclusion.ts";
import { decidePlan } from "./plan-gate.ts";
import { settleRun } from "../step/item-transitions.ts";
import { runOf } from "../step/runs.ts";
import { awaitApproval, makeReady } from "../step/step-transitions.ts";
import { openGate } from "./open-gate.ts";
import type { Json } from "../../values/json.ts";

/** The prefix of the names of the timers that expire approvals. */
export const APPROVAL_TIMER = "approval-";

type Decided = NonNullable<Approval["decided"]>;
type Awaiting = StepEntry & { readonly state: AwaitingApproval };

/** Whether the approval can still be decided. */
export function isPending(plan: KnownPlan, approval: Approval): boolean {
  const { approvalId, kind, stepId, item, undo, decided } = approval;
  if (decided !== undefined || isEnded(plan)) return false;
  if (undo === true && stepId !== undefined) {
    return awaitingCompensation(plan, stepId)?.state.approvalId === approvalId;
  }
  if (plan.conclusion !== undefined) return false;
  if (kind === "plan") return plan.planGate?.approvalId === approvalId;
  return stepId === undefined || awaitingEntry(plan, { stepId, item })?.state.approvalId === approvalId;
}

export type ApprovalStatus = "pending" | "decided" | "expired" | "withdrawn";

/** `withdrawn`: its step or plan ended, or changed, before a decision. */
export function approvalStatusOf(plan: KnownPlan, approval: Approval): ApprovalStatus {
  if (approval.decided !== undefined) return approval.decided.expired ? "expired" : "decided";
  return isPending(plan, approval) ? "pending" : "withdrawn";
}

/** The attempt may have taken effect: its step waits for a user's decision, or for its outcome to arrive late. */
export function interrupt(next: NextPlan, { data, at }: Pick<StepInterrupted, "data" | "at">): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running") return false;
  if (entry.state.stopping !== undefined) {
    giveUpStopping(next, entry);
    return true;
  }
  const { message, workerId } = data;
  forfeitReserve(next, holderOf.step(data));
  awaitApproval(next, entry, {
    attempt: data.attempt,
    approvalId: `unknown-${data.stepId}-${data.item}-${data.attempt}`,
    about: { kind: "outcome-unknown", message, workerId, startedAt: entry.state.startedAt ?? at },
  });
  return true;
}

export function requestApproval(next: NextPlan, { data, at }: ApprovalRequested): boolean {
  if (next.approvals.has(data.approvalId)) return false;
  const wanted = wantedBy(next, data);
  if (wanted?.approvalId !== data.approvalId || wanted.kind !== data.kind) return false;
  const expiresAt = new Date(Date.parse(at) + data.expiresAfterMs).toISOString();
  next.approvals = next.approvals.set(data.approvalId, { ...data, requestedAt: at, expiresAt });
  next.changes.timers.push(approvalTimer(data.approvalId));
  return true;
}

type Wanted = Pick<Approval, "approvalId" | "kind">;

function wantedBy(plan: KnownPlan, asked: ApprovalRequested["data"]): Wanted | undefined {
  const { kind, stepId, item, undo } = asked;
  if (undo === true && stepId !== undefined) {
    const entry = awaitingCompensation(plan, stepId);
    return entry && { approvalId: entry.state.approvalId, kind: entry.state.about.kind };
  }
  if (plan.conclusion !== undefined) return undefined;
  if (stepId !== undefined) return wantedOfStep(plan, { stepId, item });
  return kind === "plan" ? wantedOfPlan(plan) : wantedOfBudget(plan);
}

function wantedOfPlan(plan: KnownPlan): Wanted | undefined {
  const gate = openGate(plan);
  return gate && { approvalId: gate.approvalId, kind: "plan" };
}

function wantedOfBudget({ budget }: KnownPlan): Wanted | undefined {
  return budget?.asking === undefined ? undefined : { approvalId: budget.asking.approvalId, kind: "budget" };
}

function wantedOfStep(plan: KnownPlan, run: AskedAbout): Wanted | undefined {
  const entry = awaitingEntry(plan, run);
  return entry && { approvalId: entry.state.approvalId, kind: entry.state.about.kind };
}

export function decideApproval(next: NextPlan, { data, at }: ApprovalDecided): boolean {
  const { approvalId, ...decision } = data;
  return settleApproval(next, approvalId, { ...decision, at, expired: false });
}

export function approvalTimer(approvalId: string): string {
  return `${APPROVAL_TIMER}${approvalId}`;
}

/** Rejects an approval that expired without a decision. */
export function expireApproval(next: NextPlan, approvalId: string, at: string): boolean {
  const reason = "the approval expired without a decision";
  return settleApproval(next, approvalId, { decision: "reject", by: "timer", reason, at, expired: true });
}

function settleApproval(next: NextPlan, approvalId: string, decided: Decided): boolean {
  const approval = next.approvals.get(approvalId);
  if (approval === undefined || !isPending(next, approval) || !choicesOf(approval).includes(decided.decision))
    return false;
  next.approvals = next.approvals.set(approvalId, { ...approval, decided });
  if (approval.undo === true) return settleUndoApproval(next, approval, decided);
  if (approval.kind === "plan") return decidePlan(next, decided);
  const { stepId, item } = approval;
  const entry = stepId === undefined ? undefined : awaitingEntry(next, { stepId, item });
  if (approval.kind === "budget") decideBudget(next, decided);
  if (entry === undefined) return true;
  const { about } = entry.state;
  if (about.call !== undefined)
    decideCall(next, entry, { call: about.call, approval: { ...approval, decided }, said: saidBy(decided) });
  else if (about.kind === "outcome-unknown") decideOutcome(next, entry, { about, decided });
  else if (about.kind === "question") decideAnswer(next, entry, { approval, decided });
  else decideRun(next, entry, { approval, decided });
  return true;
}

function settleUndoApproval(next: NextPlan, { stepId }: Approval, decided: Decided): boolean {
  const entry = stepId === undefined ? undefined : awaitingCompensation(next, stepId);
  if (entry === undefined) return true;
  decideUndo(next, entry, decided);
  proceedToEnd(next);
  return true;
}

function decideBudget(next: NextPlan, { decision, edits, at }: Decided): void {
  if (decision === "approve") grantMore(next, edits, at);
  else refuseMore(next);
}

/** Returns the decisions that an approval of this kind allows. */
export function choicesOf({ kind }: Pick<Approval, "kind">): readonly Decided["decision"][] {
  if (kind === "outcome-unknown") return ["happened", "run-again", "reject"];
  return kind === "question" ? ["answer", "reject"] : ["approve", "reject"];
}

function decideRun(
  next: NextPlan,
  entry: Awaiting,
  { approval, decided }: { approval: Approval; decided: Decided },
): void {
  if (decided.decision === "reject") {
    const times = { workerId: decided.by, startedAt: decided.at, endedAt: decided.at, durationMs: 0 };
    const error = { code: "approval_rejected", message: `rejected by ${saidBy(decided)}` };
    settleRun(next, entry, { status: "failed", attempt: entry.state.attempt, ...times, error });
    return;
  }
  const args = decided.edits ?? approval.args ?? {};
  makeReady(next, { ...entry, approved: { approvalId: approval.approvalId, args } }, entry.state.attempt);
}

function decideOutcome(
  next: NextPlan,
  entry: Awaiting,
  {
    about,
    decided,
  }: { about: Extract<AwaitingApproval["about"], { kind: "outcome-unknown" }>; decided: Decided },
): void {
  const { attempt } = entry.state;
  const { at } = decided;
  const error = { code: "outcome_unknown", message: about.message };
  const end = endOf({ attempt, workerId: about.workerId, startedAt: about.startedAt, durationMs: 0 }, at);
  if (decided.decision === "happened") {
    const done = withEffect(entry, { attempt, status: "done", at, by: decided.by });
    settleRun(next, done, { status: "succeeded", ...end, output: { value: decided.output ?? null } });
  } else if (decided.decision === "run-again" && attempt < LIMITS.attemptsMax) {
    const failedAttempts = [...entry.failedAttempts, { attempt, error, at, retryAt: at }];
    makeReady(next, { ...entry, failedAttempts }, attempt + 1);
  } else {
    const more =
      decided.decision === "run-again"
        ? `${LIMITS.attemptsMax} attempts are the most`
        : `by ${saidBy(decided)}`;
    settleRun(next, entry, {
      status: "failed",
      ...end,
      error: { ...error, message: `${about.message}; counted as failed ${more}` },
    });
  }
}

function saidBy({ by, reason }: Decided): string {
  return reason === undefined ? by : `${by}: ${reason}`;
}

type AskedAbout = { readonly stepId: StepId; readonly item: number | undefined };

function awaitingEntry(plan: KnownPlan, run: AskedAbout): Awaiting | undefined {
  const entry = runOf(plan, run);
  return entry?.state.status === "awaiting-approval" ? { ...entry, state: entry.state } : undefined;
}

/** Makes the user's answer the step's output, or fails the step if the question was not answered. */
function decideAnswer(
  next: NextPlan,
  entry: Awaiting,
  { approval, decided }: { readonly approval: Approval; readonly decided: Decided },
): void {
  const { attempt } = entry.state;
  const { by, at } = decided;
  const { requestedAt } = approval;
  const durationMs = Math.max(0, Date.parse(at) - Date.parse(requestedAt));
  const end = { attempt, workerId: by, startedAt: requestedAt, endedAt: at, durationMs };
  if (decided.decision === "answer") {
    const value: Json = { answer: decided.answer ?? null, by };
    settleRun(next, entry, { status: "succeeded", ...end, output: { value } });
    return;
  }
  const why = decided.reason === undefined ? "" : `: ${decided.reason}`;
  const error = decided.expired
    ? { code: "question_expired", message: "the question expired without an answer" }
    : { code: "question_declined", message: `${by} did not answer${why}` };
  settleRun(next, entry, { status: "failed", ...end, error });
}
