/** Invariants of a transition after which a plan needs a revision. */
import assert from "node:assert/strict";
import type { PlanEvent } from "../src/events/plan-event.ts";
import type { KnownPlan, Plan, StepEntry } from "../src/machine/plan-state.ts";
import { allRuns, nameOf, runNamed } from "../src/machine/step/runs.ts";

/**
 * While a revision is requested or drafted, only steps of the open draft start. Steps in flight continue: their items, and their
 * attempts that a person has just decided about.
 */
export function checkNothingElseBegins(before: Plan, plan: KnownPlan, event: PlanEvent): void {
  if (before.status === "absent" || !wantsRevision(plan)) return;
  for (const entry of allRuns(plan)) {
    const earlier = runNamed(before, nameOf(entry));
    if (!isUnderWay(entry) || (earlier !== undefined && isUnderWay(earlier))) continue;
    const isOfOpenDraft =
      entry.draft === plan.drafting.number &&
      plan.drafting.phase === "open" &&
      plan.revisionsWanted.length === 0;
    assert.ok(
      isOfOpenDraft || continuesStep(before, entry),
      `${event.type} starts ${entry.step.id} (${entry.state.status}) while a revision is wanted: ${plan.drafting.phase}`,
    );
  }
}

function wantsRevision({ drafting, revisionsWanted, replansExceeded, conclusion }: KnownPlan): boolean {
  if (conclusion !== undefined) return false;
  if (revisionsWanted.length > 0 || replansExceeded !== undefined) return true;
  return drafting.phase !== "sealed" && drafting.revision > 0;
}

function isUnderWay({ state }: StepEntry): boolean {
  return state.status === "running" || state.status === "awaiting-approval";
}

/**
 * Whether it is an item of a step that was already in progress; or, once no revision is left, another attempt of such a step, or
 * a step that a user retries.
 */
function continuesStep(before: KnownPlan, entry: StepEntry): boolean {
  const { step, item, failedAttempts } = entry;
  // An attempt of a loop that was approved, or that a pause held back, is a new one although none has failed; so is a step that a
  // unit has returned.
  const isAnotherAttempt =
    failedAttempts.length > 0 ||
    entry.returned !== undefined ||
    // With a dead letter, a user also retries the steps that were skipped because of it.
    entry.redriven !== undefined ||
    ("attempt" in entry.state && entry.state.attempt > 1);
  if (isAnotherAttempt && before.replansExceeded !== undefined) return true;
  const state = before.steps.get(step.id)?.state;
  return item !== undefined && state?.status === "repeating" && state.begun > 0;
}
