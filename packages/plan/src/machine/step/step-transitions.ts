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

/** A step whose dependencies have all succeeded: it runs, or waits for its draft, for a person or for room. */
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
    // Each attempt asks again.
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

/** Keeps a step back that must not begin for now, and returns whether it does; its items are past that. */
export function holdBack(next: NextPlan, entry: StepEntry, attempt: number): boolean {
  const reason = entry.item === undefined ? reasonToHold(next, entry, attempt) : undefined;
  if (reason === undefined) return false;
  hold(next, entry.step.id);
  setState(next, entry, { status: "waiting", for: reason, attempt });
  return true;
}

/** Notes that a step is kept back until its draft is sealed, and approved. */
export function hold(next: NextPlan, stepId: StepId): void {
  next.held = next.held.push(stepId);
}

/** Has steps not wait for their draft any more, because they are gone or have ended. */
export function dropHeld(next: NextPlan, isGone: (stepId: StepId) => boolean): void {
  next.held = next.held.filterNot(isGone);
}

/** The plan starts nothing more, and skips nothing more. */
export function dropWaiting(next: NextPlan): void {
  next.queue = next.queue.clear();
  next.held = next.held.clear();
  next.unskipped = next.unskipped.clear();
}

/** Has the dispatcher record that the step does not run, or that it runs for each item of a list. */
export function awaitVerdict(next: NextPlan, entry: StepEntry, kind: Verdict["kind"], attempt: number): void {
  setState(next, entry, { status: "waiting", for: kind === "expand" ? "items" : "condition", attempt });
}

/** Has the dispatcher request the approval; the step takes up no capacity in the meantime. */
export function awaitApproval(
  next: NextPlan,
  entry: StepEntry,
  wanted: Omit<AwaitingApproval, "status">,
): void {
  setState(next, entry, { status: "awaiting-approval", ...wanted });
}

/** Has the step's next attempt sent to a worker, or run by the worker of its unit. */
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

/** Why a person has to let the step run; one question is asked, whatever the number of reasons. */
export function doubtAbout(
  plan: KnownPlan,
  entry: PlannedStep & Pick<StepEntry, "grant" | "item">,
): "tool-risk" | "confidence" | undefined {
  const { goal } = plan;
  const { step, grant } = entry;
  if (waitsForApproval(goal, { ...callOfStep(plan, entry), risk: grant.risk })) return "tool-risk";
  return isUnsure(goal, step.confidence) ? "confidence" : undefined;
}

/** What the step is kept back for, if it is. */
function reasonToHold(next: NextPlan, entry: StepEntry, attempt: number): "draft" | "approval" | undefined {
  if (isHeldBack(next, entry)) return "draft";
  // A step of a large draft that had begun before the draft was complete may finish.
  return attempt === 1 && isGated(next, entry.draft) ? "approval" : undefined;
}

/**
 * While a draft is being written, only safe steps start: those that read and have a low risk. None of them
 * start when the plan needs an approval or a review first, or once the draft is so large that it needs an approval. No
 * step of the plan that a draft revises starts, and no step at all once the next revision is requested.
 */
export function isHeldBack(plan: KnownPlan, { draft, grant }: Pick<StepEntry, "draft" | "grant">): boolean {
  const { phase, number, revision } = plan.drafting;
  if (phase === "sealed") return false;
  // The next draft may drop every step that has not begun, those of the open draft included.
  if (phase === "reviewing" || plan.revisionsWanted.length > 0) return true;
  if (draft !== number) return revision > 0;
  if (phase !== "open") return false;
  const isHarmless = grant.risk === "low" && grant.effect === "read";
  const { goal, drafting } = plan;
  if (!isHarmless || isLargeDraft(goal, drafting.steps ?? 0)) return true;
  return gatesDrafts(goal) || isUnderReview(plan);
}

/** Whether a person has still to let run what the draft planned. */
export function isGated({ planGate }: KnownPlan, draft: number): boolean {
  return planGate !== undefined && draft >= planGate.from;
}

/** Starts what was kept back, unless it is to be kept back still. Steps whose items wait stay: see `beginHeldItems`. */
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
  // A step that was skipped by then waits for nothing else.
  if (met.unmet === 0 && met.state.status === "waiting" && met.state.for === "dependencies")
    makeReady(next, met);
}

export function askToSkip(next: NextPlan, because: StepId): void {
  next.unskipped = next.unskipped.set(because, true);
  if (!next.changes.lost.includes(because)) next.changes.lost.push(because);
}

/** Whether any step that needs this one has not settled. */
export function hasOpenDependents(next: NextPlan, stepId: StepId): boolean {
  const dependents = next.steps.get(stepId)?.dependents ?? [];
  return dependents.some((dependent) => {
    const state = next.steps.get(dependent)?.state;
    return state !== undefined && !isSettled(state);
  });
}

/**
 * Takes back what the event has started before it came to request a revision. One event may end several steps that are
 * tied to each other, and only the last of them may show that the plan has to be revised.
 */
export function withdrawStarts(before: Plan, next: NextPlan): void {
  if (next.revisionsWanted.length === 0 && next.drafting.revision === 0) return;
  for (const entry of startedSince(before, next)) {
    if ("attempt" in entry.state) holdBack(next, entry, entry.state.attempt);
  }
}
