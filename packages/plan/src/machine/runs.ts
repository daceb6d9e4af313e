/**
 * Runs: a step runs once, or once for each item of a list. Each run is a separate entry with its own attempts,
 * approvals and effects.
 */
import type { StepId, RunName } from "../values/ids.ts";
import type { KnownPlan, StepEntry } from "./plan-state.ts";

export function nameOf({ step, item }: Pick<StepEntry, "step" | "item">): RunName {
  return item === undefined ? { stepId: step.id } : { stepId: step.id, item: item.index };
}

export function runNamed(
  plan: Pick<KnownPlan, "steps" | "items">,
  { stepId, item }: RunName,
): StepEntry | undefined {
  return item === undefined ? plan.steps.get(stepId) : plan.items.get(itemKey(stepId, item));
}

/** The run that a fact is about: facts of a step that runs once say that they are of item 0. */
export function runOf(
  plan: Pick<KnownPlan, "steps" | "items">,
  { stepId, item = 0 }: { readonly stepId: StepId; readonly item?: number | undefined },
): StepEntry | undefined {
  const entry = plan.steps.get(stepId);
  if (entry?.step.forEach !== undefined) return plan.items.get(itemKey(stepId, item));
  return item === 0 ? entry : undefined;
}

/** The number by which facts, subjects and keys tell the runs of a step apart. */
export function itemOf({ item }: Pick<StepEntry, "item">): number {
  return item?.index ?? 0;
}

export function putRun(
  next: { -readonly [Key in "steps" | "items"]: KnownPlan[Key] },
  entry: StepEntry,
): void {
  const { step, item } = entry;
  if (item === undefined) next.steps = next.steps.set(step.id, entry);
  else next.items = next.items.set(itemKey(step.id, item.index), entry);
}

export function* allRuns({ steps, items }: Pick<KnownPlan, "steps" | "items">): Generator<StepEntry> {
  yield* steps.values();
  yield* items.values();
}

/** The items of a step, in their order. */
export function itemsOf({ items }: Pick<KnownPlan, "items">, stepId: StepId): StepEntry[] {
  const entries: StepEntry[] = [];
  for (let index = 0; ; index++) {
    const entry = items.get(itemKey(stepId, index));
    if (entry === undefined) return entries;
    entries.push(entry);
  }
}

/** No step id has a slash. */
function itemKey(stepId: StepId, index: number): string {
  return `${stepId}/${index}`;
}
