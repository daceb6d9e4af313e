/**
 * Verification: only the steps that verify an output can read it until all of them have ended.
 *
 * Invariants:
 *   VERIFICATION-1. A step succeeds only if none of its verifications has refused it.
 *   VERIFICATION-2. One refusal is enough: the step fails with `verification_failed`, permanently.
 *   VERIFICATION-3. A verification that was planned too late to hold the other step back fails itself if it refuses that step.
 */
import type { NextPlan, StepEntry, StepState } from "../plan-state.ts";
import type { StepId } from "../../values/ids.ts";
import { refusalIn } from "./refusal.ts";
import { acceptedAs, type Reviewing, type Succeeded } from "../review/review-state.ts";
import { hasFailed } from "./standing.ts";
import { isSettled } from "../step/step-state.ts";
import { meetDependency, settle, hold } from "../step/step-transitions.ts";
import { setState, putRun } from "../step/runs.ts";

/** The error `code` of a step that ran, but whose output was refused by a verification. */
export const VERIFICATION_FAILED = "verification_failed";
const MESSAGE_CHARS_MAX = 4_000;

/** Accepts the output of a step: immediately, or after its verifications. */
export function offer(next: NextPlan, entry: StepEntry, state: Succeeded): void {
  const { step, verifiedBy = [] } = entry;
  const refused = lateRefusal(next, entry, state);
  if (refused !== undefined) {
    settle(next, entry, failedAs(state, refused));
    return;
  }
  const waitsFor = reasonToWait(next, entry);
  if (waitsFor === undefined) {
    settle(next, entry, state);
    return;
  }
  setState(next, { ...entry, shown: true }, { review: 1, ...state, status: "reviewing", for: waitsFor });
  if (waitsFor === "draft") hold(next, step.id);
  for (const verifier of verifiedBy) meetDependency(next, verifier);
  heedVerdicts(next, step.id);
}

/** Called when a step has ended: the step that it verifies is accepted or refused once all its verifications have ended. */
export function heedVerifier(next: NextPlan, stepId: StepId): void {
  const entry = next.steps.get(stepId);
  const verifies = entry?.step.verifies;
  const verified = verifies === undefined ? undefined : next.steps.get(verifies);
  if (entry === undefined || verified === undefined || !isSettled(entry.state)) return;
  // Its failure counts as that of the step that it verifies, unless that step has already been accepted.
  if (hasFailed(entry.state) && (!isSettled(verified.state) || hasFailed(verified.state))) {
    putRun(next, { ...entry, excused: true });
  }
  heedVerdicts(next, verifies);
}

/** Accepts or refuses a step that has an output. */
export function heedVerdicts(next: NextPlan, stepId: StepId | undefined): void {
  const entry = stepId === undefined ? undefined : next.steps.get(stepId);
  if (entry?.state.status !== "reviewing") return;
  const { state } = entry;
  if (state.for !== "verification" && state.for !== "draft") return;
  const refused = refusalOf(next, entry);
  if (refused !== undefined) {
    settle(next, entry, failedAs(acceptedAs(state), refused));
    return;
  }
  const waitsFor = reasonToWait(next, entry);
  if (waitsFor === undefined) settle(next, entry, acceptedAs(state));
  else if (waitsFor !== state.for) wait(next, entry, { ...state, for: waitsFor });
}

function wait(next: NextPlan, entry: StepEntry, state: Reviewing): void {
  setState(next, entry, state);
  const { id } = entry.step;
  if (state.for === "draft" && !next.held.includes(id)) hold(next, id);
}

/** Returns what the step waits for before its output is accepted. */
function reasonToWait(next: NextPlan, entry: StepEntry): "verification" | "draft" | undefined {
  const isOpen = (entry.verifiedBy ?? []).some((id) => {
    const verifier = next.steps.get(id);
    return verifier !== undefined && !isSettled(verifier.state);
  });
  if (isOpen || refusalOf(next, entry) !== undefined) return "verification";
  return awaitsDraft(next, entry) ? "draft" : undefined;
}

/**
 * Its draft might still plan a step that verifies it. Whether that step comes too late for the fallback must not depend
 * on how fast this step is. Without a fallback, nothing depends on that.
 */
function awaitsDraft({ drafting }: NextPlan, { step, draft }: StepEntry): boolean {
  return step.fallback !== undefined && drafting.phase !== "sealed" && drafting.number === draft;
}

/** Returns why a verification of this step has refused it; undefined if none has. */
function refusalOf(next: NextPlan, { verifiedBy = [] }: StepEntry): string | undefined {
  for (const id of verifiedBy) {
    const verifier = next.steps.get(id);
    const found = verifier === undefined ? undefined : foundBy(verifier);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foundBy({ step: { id }, state, excused }: StepEntry): string | undefined {
  if (state.status === "failed") return `${id} failed: ${state.error.message}`;
  if (state.status === "skipped" && excused === true) return `${id} could not run: it ${state.reason}`;
  return state.status === "succeeded" ? saidBy(id, state) : undefined;
}

function saidBy(id: StepId, { output }: Succeeded): string | undefined {
  const issues = refusalIn(output);
  if (issues === undefined) return undefined;
  return issues.length === 0 ? `refused by ${id}` : `refused by ${id}: ${issues.join("; ")}`;
}

/** Returns the refusal of a verification that nothing waits for, because the step was accepted before it was planned. */
function lateRefusal(next: NextPlan, { step }: StepEntry, state: Succeeded): string | undefined {
  const verified = step.verifies === undefined ? undefined : next.steps.get(step.verifies);
  if (verified?.state.status !== "succeeded") return undefined;
  const said = saidBy(step.id, state);
  return said && `${said}; ${verified.step.id} had been accepted before ${step.id} was planned`;
}

function failedAs({ output, ...succeeded }: Succeeded, said: string): StepState {
  const {
    list: _list,
    failedItems: _failed,
    truncated: _truncated,
    partial: _partial,
    status: _status,
    ...end
  } = succeeded;
  const error = { code: VERIFICATION_FAILED, message: said.slice(0, MESSAGE_CHARS_MAX) };
  return { ...end, status: "failed", error, output };
}
