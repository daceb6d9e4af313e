/**
 * How steps move: waiting → (awaiting approval →) running → settled.
 *
 * A transition builds the plan's next state in place, in a `NextPlan` that no other code has seen.
 * `evolve` copies the plan before and publishes it after. Each function costs O(dependents).
 */
import {
  type AwaitingApproval,
  type KnownPlan,
  type NextPlan,
  type Plan,
  type StepEntry,
  type StepState,
  type WaitingFor,
  isHalted,
} from "../plan-state.ts";
import {
  gatesDrafts,
  isLargeDraft,
  isUnsure,
  waitsForApproval,
  approvalIdOf,
} from "../approval/approval-gates.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { HUMAN_ASK } from "../../language/tool-names.ts";
import { callOfStep } from "../../policy/policy-call.ts";
import type { PlannedStep } from "../../policy/provenance.ts";
import { readyStep } from "../budget/budget-needs.ts";
import { itemOf, nameOf, putRun, setState } from "./runs.ts";
import { isMet, standingOf } from "../links/standing.ts";
import { isSettled } from "./step-state.ts";
import { isUnderReview } from "../review/under-review.ts";
import { isStandby, isTied, noteEnd } from "../links/ties.ts";
import { type Verdict, verdictOf } from "../links/verdict.ts";
import { awaitAllotment } from "../budget/budget-shares.ts";
import { startedSince } from "../changes.ts";

/** Handles a step whose dependencies have all succeeded: it runs, or waits for its draft, for approval or for capacity. */
export function makeReady(next: NextPlan, entry: StepEntry, attempt = 1): void {
  if (isStandby(next, entry)) {
    setState(next, entry, { status: "waiting", for: "primary", attempt });
    return;
  }
  if (holdBack(next, entry, attempt)) return;
  const doubt = entry.approved === undefined ? doubtAbout(next, entry) : undefined;
  const verdict = verdictOf(next, entry);
  if (verdict.kind !== "run") {
    awaitVerdict(next, entry, verdict.kind, attempt);
  } else if (isHalted(next)) {
    enqueue(next, entry, attempt);
  } else if (entry.step.tool === HUMAN_ASK) {
    // Each attempt asks the question again.
    const approvalId = `ask-${entry.step.id}-${itemOf(entry)}-${attempt}`;
    awaitApproval(next, entry, { attempt, approvalId, about: { kind: "question" } });
  } else if (doubt !== undefined) {
    const approvalId = approvalIdOf(next, entry, doubt);
    awaitApproval(next, entry, { attempt, approvalId, about: { kind: doubt } });
  } else if (next.budget !== undefined) {
    awaitAllotment(next, entry, readyStep(next, entry));
    setState(next, entry, { status: "waiting", for: "budget", attempt });
  } else if (next.inFlight >= LIMITS.inFlightMax) {
    enqueue(next, entry, attempt);
  } else {
    dispatch(next, entry, attempt);
  }
}

/** Holds a step back that must not start yet, and returns whether it does. Items are not held back here. */
export function holdBack(next: NextPlan, entry: StepEntry, attempt: number): boolean {
  const reason = entry.item === undefined ? reasonToHold(next, entry, attempt) : undefined;
  if (reason === undefined) return false;
  hold(next, entry.step.id);
  setState(next, entry, { status: "waiting", for: reason, attempt });
  return true;
}

/** Holds a step back until its draft is sealed and approved. */
export function hold(next: NextPlan, stepId: StepId): void {
  next.held = next.held.push(stepId);
}

/** Stops holding back steps that are gone or have ended. */
export function dropHeld(next: NextPlan, isGone: (stepId: StepId) => boolean): void {
  next.held = next.held.filterNot(isGone);
}

/** Drops everything that waits: the plan starts and skips no more steps. */
export function dropWaiting(next: NextPlan): void {
  next.queue = next.queue.clear();
  next.held = next.held.clear();
  next.unskipped = next.unskipped.clear();
}

/** Makes the dispatcher record that the step does not run, or that it runs for each item of a list. */
export function awaitVerdict(next: NextPlan, entry: StepEntry, kind: Verdict["kind"], attempt: number): void {
  setState(next, entry, { status: "waiting", for: kind === "expand" ? "items" : "condition", attempt });
}

/** Makes the dispatcher request the approval; the step uses no capacity in the meantime. */
export function awaitApproval(
  next: NextPlan,
  entry: StepEntry,
  wanted: Omit<AwaitingApproval, "status">,
): void {
  setState(next, entry, { status: "awaiting-approval", ...wanted });
}

/** Makes the step's next attempt go to a worker, or to the worker of its unit. */
export function dispatch(next: NextPlan, entry: StepEntry, attempt: number): void {
  const unit = entry.unit === undefined ? {} : { unit: entry.unit };
  setState(next, entry, { status: "running", attempt, sentAfter: 0, ...unit });
}

/** Makes the step wait for capacity, or for its plan to resume. */
function enqueue(next: NextPlan, entry: StepEntry, attempt: number): void {
  next.queue = next.queue.push(nameOf(entry));
  setState(next, entry, { status: "waiting", for: reasonToQueue(next), attempt });
}

function reasonToQueue({ pause, startsAt }: NextPlan): WaitingFor {
  if (pause !== undefined) return "resume";
  return startsAt === undefined ? "capacity" : "start";
}

/** Returns why the step needs approval. Only one approval is requested, even for several reasons. */
export function doubtAbout(
  plan: KnownPlan,
  entry: PlannedStep & Pick<StepEntry, "grant" | "item">,
): "tool-risk" | "confidence" | undefined {
  const { goal } = plan;
  const { step, grant } = entry;
  if (waitsForApproval(goal, { ...callOfStep(plan, entry), risk: grant.risk })) return "tool-risk";
  return isUnsure(goal, step.confidence) ? "confidence" : undefined;
}

/** Returns what the step is held back for, if anything. */
function reasonToHold(next: NextPlan, entry: StepEntry, attempt: number): "draft" | "approval" | undefined {
  if (isHeldBack(next, entry)) return "draft";
  // A step of a large draft that started before the draft was complete can finish.
  return attempt === 1 && isGated(next, entry.draft) ? "approval" : undefined;
}

/**
 * While a draft is being written, only safe steps start: read-only ones with a low risk. None of them start if the plan
 * needs an approval or a review first, or once the draft is so large that it needs an approval. No step of the plan
 * that a draft revises starts, and no step at all once the next revision is requested.
 */
export function isHeldBack(plan: KnownPlan, { draft, grant }: Pick<StepEntry, "draft" | "grant">): boolean {
  const { phase, number, revision } = plan.drafting;
  if (phase === "sealed") return false;
  // The next draft can drop every step that has not started, including those of the open draft.
  if (phase === "reviewing" || plan.revisionsWanted.length > 0) return true;
  if (draft !== number) return revision > 0;
  if (phase !== "open") return false;
  const isHarmless = grant.risk === "low" && grant.effect === "read";
  const { goal, drafting } = plan;
  if (!isHarmless || isLargeDraft(goal, drafting.steps ?? 0)) return true;
  return gatesDrafts(goal) || isUnderReview(plan);
}

/** Whether the steps of a draft still need approval. */
export function isGated({ planGate }: KnownPlan, draft: number): boolean {
  return planGate !== undefined && draft >= planGate.from;
}

/** Starts the steps that were held back, unless they still have to wait. Steps whose items wait stay: see `beginHeldItems`. */
export function releaseHeld(next: NextPlan): void {
  const held = next.held;
  next.held = held.filter((stepId) => next.steps.get(stepId)?.state.status === "repeating");
  for (const stepId of held) {
    const entry = next.steps.get(stepId);
    if (entry?.state.status === "reviewing") noteEnd(next, entry);
    if (entry?.state.status === "waiting") makeReady(next, entry, entry.state.attempt);
  }
}

/** Records that a step that ran, or awaited an approval, has settled, and makes its dependents ready. */
export function settle(next: NextPlan, entry: StepEntry, state: StepState): void {
  setState(next, entry, state);
  if (entry.item === undefined) tell(next, entry, state);
}

/** Lets the dependents of a step continue, or skips them. */
function tell(next: NextPlan, entry: StepEntry, state: StepState): void {
  if (state.status === "succeeded" && entry.step.compensate !== undefined) {
    next.undoable = next.undoable.push(entry.step.id);
  }
  if (isTied(next, entry)) noteEnd(next, entry);
  else announce(next, { ...entry, state });
}

/** Lets the dependents of a step continue, or skips them, according to the step's outcome. */
export function announce(next: NextPlan, ended: StepEntry): void {
  const standing = standingOf(ended);
  const { step, dependents, shown, verifiedBy = [] } = ended;
  if (isMet(standing)) {
    for (const dependent of dependents) {
      if (shown !== true || !verifiedBy.includes(dependent)) meetDependency(next, dependent);
    }
  } else if (standing === "lost" && dependents.length > 0) {
    askToSkip(next, step.id);
  }
}

export function meetDependency(next: NextPlan, stepId: StepId): void {
  const entry = next.steps.get(stepId);
  if (entry === undefined) return;
  const met = { ...entry, unmet: entry.unmet - 1 };
  putRun(next, met);
  // A step that has already been skipped waits for nothing else.
  if (met.unmet === 0 && met.state.status === "waiting" && met.state.for === "dependencies")
    makeReady(next, met);
}

export function askToSkip(next: NextPlan, because: StepId): void {
  next.unskipped = next.unskipped.set(because, true);
  if (!next.changes.lost.includes(because)) next.changes.lost.push(because);
}

/** Whether any dependent of this step has not settled. */
export function hasOpenDependents(next: NextPlan, stepId: StepId): boolean {
  const dependents = next.steps.get(stepId)?.dependents ?? [];
  return dependents.some((dependent) => {
    const state = next.steps.get(dependent)?.state;
    return state !== undefined && !isSettled(state);
  });
}

/**
 * Withdraws the steps that the event started before it led to a revision request. One event can end several linked
 * steps, and perhaps only the last of them shows that the plan has to be revised.
 */
export function withdrawStarts(before: Plan, next: NextPlan): void {
  if (next.revisionsWanted.length === 0 && next.drafting.revision === 0) return;
  for (const entry of startedSince(before, next)) {
    if ("attempt" in entry.state) holdBack(next, entry, entry.state.attempt);
  }
}
