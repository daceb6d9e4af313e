/** How steps that are not needed any more end: immediately, or when their workers have reported how they ended. */
import type { NextPlan, StepEntry } from "../plan-state.ts";
import type { RunName } from "../../values/ids.ts";
import type { Map } from "immutable";
import { dropTimers } from "../changes.ts";
import { keepItems, recountItems } from "./item-transitions.ts";
import { forfeitReserve, holderOf, countWork } from "../budget/budget-ledger.ts";
import { watchStopping } from "../deadlines.ts";
import { PLAN_RUN } from "../../language/tool-names.ts";
import { keptOf, type Succeeded, reviewHolder } from "../review/review-state.ts";
import { itemOf, nameOf, runNamed, recount, putRun } from "./runs.ts";
import { hasFailed, isLost } from "../links/standing.ts";
import { isSettled } from "./step-state.ts";
import { askToSkip, hasOpenDependents, settle } from "./step-transitions.ts";
import { isTied, noteEnd } from "../links/ties.ts";
import { stopSubPlan } from "../sub-plans.ts";

/** Cancels every unsettled step that `concerns` selects, including running ones. Returns how many were running. */
export function cancelSteps(next: NextPlan, reason: string, concerns: (entry: StepEntry) => boolean): number {
  return stopSteps(next, { reason, concerns });
}

/**
 * Ends all steps, because the plan ends badly. Steps that may need compensation are asked to stop, and the plan waits
 * for their outcomes. Returns how many were running.
 */
export function stopAllSteps(next: NextPlan, reason: string): number {
  const stopping = { reason, at: next.updatedAt };
  const running = stopSteps(next, { reason, concerns: () => true, stopping });
  watchStopping(next);
  return running;
}

type Stopping = {
  readonly reason: string;
  readonly concerns: (entry: StepEntry) => boolean;
  readonly stopping?: { readonly reason: string; readonly at: string };
};

/** Stops the steps. An output that was waiting for its review is kept, although it will not be reviewed. */
function stopSteps(next: NextPlan, { reason, concerns, stopping }: Stopping): number {
  let running = 0;
  const kept: [StepEntry, Succeeded][] = [];
  const halfDone: StepEntry[] = [];
  const stop = <Key>(runs: Map<Key, StepEntry>): Map<Key, StepEntry> =>
    runs.withMutations((stopped) => {
      for (const [key, entry] of runs) {
        if (isSettled(entry.state) || !concerns(entry)) continue;
        if (stopping !== undefined && entry.state.status === "repeating") {
          halfDone.push(entry);
          continue;
        }
        if (stopping !== undefined && entry.state.status === "running" && mayHaveToBeUndone(entry)) {
          const { attempt } = entry.state;
          running += 1;
          const stoppingEntry = { ...entry, state: { ...entry.state, stopping } };
          recount(next, entry, stoppingEntry);
          stopped.set(key, stoppingEntry);
          stopSubPlan(next, { stepId: entry.step.id, item: itemOf(entry), attempt }, reason);
          continue;
        }
        if (entry.state.status === "running") {
          running += 1;
          giveUpReserve(next, { ...entry, state: entry.state }, reason);
        }
        if (entry.state.status === "reviewing") {
          running += 1;
          const { attempt, review } = entry.state;
          forfeitReserve(next, reviewHolder({ stepId: entry.step.id, attempt, review }));
        }
        const result = keptOf(entry);
        if (result !== undefined) {
          kept.push([entry, result]);
          continue;
        }
        if (entry.item === undefined && isTied(next, entry)) noteEnd(next, entry);
        const cancelled: StepEntry = { ...entry, state: { status: "cancelled", reason } };
        recount(next, entry, cancelled);
        stopped.set(key, cancelled);
      }
    });
  next.steps = stop(next.steps);
  next.items = stop(next.items);
  for (const entry of halfDone) keepItems(next, entry, reason);
  recountItems(next);
  for (const [entry, state] of kept) settle(next, entry, state);
  dropTimers(next, (timer) => timer.kind === "retry" && !isWaiting(next, timer));
  return running;
}

type Running = StepEntry & { readonly state: Extract<StepEntry["state"], { status: "running" }> };

/** Forfeits the reserve of a stopped step, whose later usage is unknown; a sub-plan reports its usage when it stops. */
function giveUpReserve(next: NextPlan, entry: Running, reason: string): void {
  const { attempt } = entry.state;
  const { id: stepId, tool } = entry.step;
  const holder = holderOf.step({ ...nameOf(entry), attempt });
  if (tool !== PLAN_RUN) forfeitReserve(next, holder);
  else if (!stopSubPlan(next, { stepId, item: itemOf(entry), attempt }, reason)) {
    countWork(next, holder, { stepsSent: 0 });
  }
}

/** Whether the step has started something that would need compensation. */
export function mayHaveToBeUndone({ step, item, grant, state }: StepEntry): boolean {
  const hasStarted = state.status === "running" && state.startedAt !== undefined;
  return hasStarted && item === undefined && step.compensate !== undefined && grant.effect !== "read";
}

/** Ends the steps that a new draft replaces. Returns how many were running. */
export function replaceSteps(
  next: NextPlan,
  reason: string,
  concerns: (entry: StepEntry) => boolean,
): number {
  const running = cancelSteps(next, reason, concerns);
  const lost = next.steps.filter((entry) => (isLost(entry) || hasFailed(entry.state)) && concerns(entry));
  for (const entry of lost.values()) putRun(next, { ...entry, replaced: true });
  for (const stepId of lost.keys()) if (hasOpenDependents(next, stepId)) askToSkip(next, stepId);
  return running;
}

function isWaiting(next: NextPlan, name: RunName): boolean {
  return runNamed(next, name)?.state.status === "waiting";
}
