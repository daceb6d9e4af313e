import { LIMITS } from "../../values/limits.ts";
import type { EventOf } from "./attempts.ts";
import { enter } from "./course.ts";
import { type Fold, primaryOf, runOf, type StepFold } from "./fold.ts";
import { makeReady } from "./readiness.ts";

/** A user retries a dead-lettered step, together with the steps that were skipped because of it. */
export function redrive(fold: Fold, { data }: EventOf<"redrive.requested">, atMs: number): void {
  const entry = fold.steps.get(data.stepId);
  const run = runOf(fold, data);
  if (entry === undefined || run?.status !== "failed") return;
  run.attempt = data.attempt + 1;
  enter(run, { kind: "wait", why: "redrive" }, run.floorMs);
  if (run !== entry.run) {
    entry.run.state = "working";
    enter(entry.run, { kind: "items" }, atMs);
  } else reopenPrimaries(fold, entry, atMs);
  reopenSkipped(fold, entry, atMs);
  delete entry.standing;
  delete entry.standIn;
  makeReady(fold, run, atMs);
}

/** The steps that a fallback was to replace may get its output after all. */
function reopenPrimaries(fold: Fold, entry: StepFold, atMs: number): void {
  let primary = primaryOf(fold, entry.step.id);
  for (let hops = 0; primary?.standIn === "none" && hops < LIMITS.fallbacksMax; hops++) {
    delete primary.standing;
    delete primary.standIn;
    reopenSkipped(fold, primary, atMs);
    primary = primaryOf(fold, primary.step.id);
  }
}

/** Steps that were skipped because of the step, directly or indirectly, wait again. */
function reopenSkipped(fold: Fold, entry: StepFold, atMs: number): void {
  const reopened = new Set<string>([entry.step.id]);
  const pending = [entry];
  for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
    for (const dependent of one.dependents) {
      const isOfIt = dependent.skippedFor !== undefined && reopened.has(dependent.skippedFor);
      if (dependent.run.status !== "skipped" || !isOfIt || hasConsequences(dependent)) continue;
      delete dependent.standing;
      delete dependent.standIn;
      delete dependent.skippedFor;
      dependent.run.state = "waiting";
      enter(dependent.run, { kind: "wait", why: "dependencies" }, atMs);
      reopened.add(dependent.step.id);
      pending.push(dependent);
    }
  }
}

/** Whether its fallback has begun, or the step that it verifies has failed because of it. */
function hasConsequences({ step, standIn, excused }: StepFold): boolean {
  return excused === true || (step.fallback !== undefined && standIn !== "none");
}
