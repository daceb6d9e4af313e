/**
 * Fallbacks: a step that another step names as its fallback waits until that step has failed permanently, then runs
 * in its place.
 *
 * Invariants:
 *   FALLBACK-1. A fallback runs only after the step that names it has failed or could not run.
 *   FALLBACK-2. The dependents of a failed step wait for its fallback, and get the fallback's output.
 *   FALLBACK-3. A fallback that is not needed is skipped.
 */
import type { NextPlan, StepEntry } from "../plan-state.ts";
import { reviseAfterLoss } from "./loss.ts";
import { hasFailed, isLost, isMet, standingOf } from "./standing.ts";
import { isSettled } from "../step/step-state.ts";
import { announce, awaitVerdict, makeReady } from "../step/step-transitions.ts";
import { primaryOf } from "./ties.ts";
import { putRun } from "../step/runs.ts";

/** Called when a step has ended: its fallback runs now, or is not needed any more. */
export function callStandIn(next: NextPlan, primary: StepEntry): void {
  const { id, fallback } = primary.step;
  if (fallback === undefined) return;
  const isItsOwn = next.standIns.get(fallback) === id;
  const standIn = isItsOwn ? next.steps.get(fallback) : undefined;
  if (!hasFailed(primary.state)) {
    if (standIn !== undefined) passOver(next, standIn);
    return;
  }
  if (primary.standIn !== undefined) return;
  for (const verifier of primary.verifiedBy ?? []) {
    const entry = next.steps.get(verifier);
    if (entry !== undefined) passOver(next, entry);
  }
  if (standIn === undefined) {
    // A draft can name a fallback before it plans it.
    if (isItsOwn && isBeingDrafted(next, primary)) return;
    takeIn(next, primary, "none");
  } else if (isSettled(standIn.state)) standInFor(next, standIn);
  else if (standIn.state.status === "waiting" && standIn.state.for === "primary") {
    makeReady(next, standIn, standIn.state.attempt);
  }
}

/** Applies the end of a fallback: the dependents of the step that it replaces get its output, or cannot run. */
export function standInFor(next: NextPlan, standIn: StepEntry): void {
  const primary = primaryOf(next, standIn.step.id);
  if (primary === undefined || !hasFailed(primary.state) || primary.standIn !== undefined) return;
  const standing = standingOf(standIn);
  if (standing === "open") return;
  const by = typeof standIn.standIn === "object" ? standIn.standIn.by : standIn.step.id;
  // A cancelled fallback belongs to a plan that is no longer wanted.
  const isWanted = standIn.state.status !== "cancelled";
  takeIn(next, primary, standing === "met" ? { by } : "none", isWanted);
}

/**
 * Closes the fallbacks that these steps have named and that no draft will plan any more.
 *
 * @param abandoned - The number of the draft that was abandoned.
 */
export function closeStandIns(next: NextPlan, abandoned?: number): void {
  for (const [fallback, id] of next.standIns) {
    const primary = next.steps.has(fallback) ? undefined : next.steps.get(id);
    if (primary === undefined || !hasFailed(primary.state) || primary.standIn !== undefined) continue;
    const isAbandoned = primary.draft === abandoned;
    if (isAbandoned || !isBeingDrafted(next, primary)) takeIn(next, primary, "none", !isAbandoned);
  }
}

function takeIn(
  next: NextPlan,
  primary: StepEntry,
  standIn: NonNullable<StepEntry["standIn"]>,
  isWanted = true,
): void {
  const ended = { ...primary, standIn };
  putRun(next, ended);
  // The dependents of a step that was not needed have already continued.
  if (!isMet(standingOf(primary))) announce(next, ended);
  standInFor(next, ended);
  const isLast = isLost(ended) && primaryOf(next, primary.step.id)?.standIn === undefined;
  if (isWanted && isLast) reviseAfterLoss(next, primary.step.id);
}

/** Skips a fallback immediately if it waits for anything but capacity; otherwise when its turn comes. */
function passOver(next: NextPlan, entry: StepEntry): void {
  const { state, step } = entry;
  if (state.status !== "waiting") return;
  // The dispatcher must not record the items that it has found, because the step is skipped.
  if (state.for === "items") {
    next.changes.runs.push({ stepId: step.id });
  } else if (state.for === "primary" || state.for === "dependencies") {
    awaitVerdict(next, entry, "pass", state.attempt);
  }
}

function isBeingDrafted({ drafting }: NextPlan, { draft }: StepEntry): boolean {
  return drafting.phase !== "sealed" && drafting.number === draft;
}
