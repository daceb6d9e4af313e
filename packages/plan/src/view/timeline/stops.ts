/** Stops runs that have not finished by themselves. */
import { type Fold, type Run, runsOf } from "./fold.ts";
import { settleRun } from "./readiness.ts";

/** Stops the runs that a new draft replaces, except those that may continue. Runs that have an output keep it. */
export function stopAll(fold: Fold, atMs: number, mayGoOn: (run: Run) => boolean): void {
  for (const entry of fold.steps.values()) {
    for (const one of runsOf(entry)) {
      if (one.state === "settled" || mayGoOn(one)) continue;
      const isKept = one.state === "reviewing" || one.rejected > 0;
      settleRun(fold, one, isKept ? "succeeded" : "cancelled", atMs);
    }
  }
}

/** Stops all runs because the plan ends. The items of a list that have finished by then become the step's output. */
export function stopPlan(fold: Fold, atMs: number, mayGoOn: (run: Run) => boolean): void {
  for (const { run, items } of fold.steps.values()) {
    const isHalfDone = run.open?.kind === "items" && items.some(({ status }) => status === "succeeded");
    if (isHalfDone) settleRun(fold, run, "succeeded", atMs);
  }
  stopAll(fold, atMs, mayGoOn);
}

/** Whether the run is working on an effect that may need compensation: it continues until it reports its outcome. */
export function mayHaveToBeUndone({ of, item, state }: Run): boolean {
  return (
    state === "working" &&
    item === undefined &&
    of.step.compensate !== undefined &&
    of.grant.effect !== "read"
  );
}
