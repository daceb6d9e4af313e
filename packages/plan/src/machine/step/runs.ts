/**
 * Runs: a step runs once, or once for each item of a list. Each run is a separate entry with its own attempts,
 * approvals and effects.
 */
import type { StepId, RunName } from "../../values/ids.ts";
import type { KnownPlan, NextPlan, StepEntry, StepState } from "../plan-state.ts";
import { hasResult, isUndecided } from "./step-state.ts";

export function nameOf({ step, item }: Pick<StepEntry, "step" | "item">): RunName {
  return item === undefined ? { stepId: step.id } : { stepId: step.id, item: item.index };
}

export function runNamed(
  plan: Pick<KnownPlan, "steps" | "items">,
  { stepId, item }: RunName,
): StepEntry | undefined {
  return item === undefined ? plan.steps.get(stepId) : plan.items.get(itemKey(stepId, item));
}

/** Returns the run that an event is about. Events of a step that runs once have item 0. */
export function runOf(
  plan: Pick<KnownPlan, "steps" | "items">,
  { stepId, item = 0 }: { readonly stepId: StepId; readonly item?: number | undefined },
): StepEntry | undefined {
  const entry = plan.steps.get(stepId);
  if (entry?.step.forEach !== undefined) return plan.items.get(itemKey(stepId, item));
  return item === 0 ? entry : undefined;
}

/** Returns the number that distinguishes the runs of a step in events, subjects and keys. */
export function itemOf({ item }: Pick<StepEntry, "item">): number {
  return item?.index ?? 0;
}

/** Sets a run's state. Every transition of a run goes through here. */
export function setState(next: NextPlan, entry: StepEntry, state: StepState): void {
  const isFirst = entry.resultSeq === undefined && hasResult(state);
  putRun(next, { ...entry, state, ...(isFirst ? { resultSeq: next.seq } : {}) });
}

/** Adds or replaces a run. */
export function putRun(next: NextPlan, entry: StepEntry): void {
  recount(next, runNamed(next, nameOf(entry)), entry);
  placeRun(next, entry);
}

/** Replaces a run whose state does not change. */
export function placeRun(next: NextPlan, entry: StepEntry): void {
  const { step, item } = entry;
  if (item === undefined) next.steps = next.steps.set(step.id, entry);
  else next.items = next.items.set(itemKey(step.id, item.index), entry);
}

/** Takes a step out of the plan. */
export function removeStep(next: NextPlan, stepId: StepId): void {
  recount(next, next.steps.get(stepId), undefined);
  next.steps = next.steps.delete(stepId);
}

/** Records that a run has changed, and updates the plan's counters from its old state to its new one. */
export function recount(next: NextPlan, before: StepEntry | undefined, now: StepEntry | undefined): void {
  if (before?.state === now?.state) return;
  const changed = now ?? before;
  if (changed !== undefined) next.changes.runs.push(nameOf(changed));
  if (before !== undefined) count(next, before, -1);
  if (now !== undefined) count(next, now, 1);
}

function count(next: NextPlan, { step, state }: StepEntry, by: 1 | -1): void {
  if (state.status !== "cancelled") next.total += by;
  switch (state.status) {
    case "running":
      next.inFlight += by;
      if (state.stopping !== undefined) next.stopping += by;
      return;
    case "awaiting-approval":
      next.awaiting += by;
      return;
    case "reviewing":
      if (state.for === undefined) next.judging += by;
      return;
    case "waiting":
      if (!isUndecided(state)) return;
      next.undecided = by === 1 ? next.undecided.set(step.id, true) : next.undecided.delete(step.id);
      return;
    case "succeeded":
    case "failed":
    case "skipped":
      next.done += by;
      return;
    case "repeating":
    case "cancelled":
      return;
    default:
      state satisfies never;
  }
}

export function* allRuns({ steps, items }: Pick<KnownPlan, "steps" | "items">): Generator<StepEntry> {
  yield* steps.values();
  yield* items.values();
}

/** Returns the items of a step, in order. */
export function itemsOf({ items }: Pick<KnownPlan, "items">, stepId: StepId): StepEntry[] {
  const entries: StepEntry[] = [];
  for (let index = 0; ; index++) {
    const entry = items.get(itemKey(stepId, index));
    if (entry === undefined) return entries;
    entries.push(entry);
  }
}

/** Step ids contain no slash. */
function itemKey(stepId: StepId, index: number): string {
  return `${stepId}/${index}`;
}
