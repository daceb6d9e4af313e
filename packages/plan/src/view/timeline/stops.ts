/** What ends without having come to an end of its own. */
import { type Fold, type Run, runsOf } from "./fold.ts";
import { settleRun } from "./readiness.ts";

/** Ends what a new draft takes the place of, but for what may go on. What has delivered is kept. */
export function stopAll(fold: Fold, atMs: number, mayGoOn: (run: Run) => boolean): void {
  for (const entry of fold.steps.values()) {
    for (const one of runsOf(entry)) {
      if (one.state === "settled" || mayGoOn(one)) continue;
      const isKept = one.state === "reviewing" || one.rejected > 0;
      settleRun(fold, one, isKept ? "succeeded" : "cancelled", atMs);
    }
  }
}

/** Ends everything, because the plan comes to its end: of a list, what there is by then is the step's. */
export function stopPlan(fold: Fold, atMs: number, mayGoOn: (run: Run) => boolean): void {
  for (const { run, items } of fold.steps.values()) {
    const isHalfDone = run.open?.kind === "items" && items.some(({ status }) => status === "succeeded");
    if (isHalfDone) settleRun(fold, run, "succeeded", atMs);
  }
  stopAll(fold, atMs, mayGoOn);
}

/** Whether the run is in the middle of something that would have to be undone: it goes on until it says how it ends. */
export function mayHaveToBeUndone({ of, item, state }: Run): boolean {
  return (
    state === "working" &&
    item === undefined &&
    of.step.compensate !== undefined &&
    of.grant.effect !== "read"
  );
}
