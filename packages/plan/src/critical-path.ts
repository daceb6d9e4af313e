import { dependenciesOf } from "./dependencies.ts";
import type { StepId } from "./ids.ts";
import type { Step } from "./plan-language.ts";
import { isTied, waitGraph } from "./wait-graph.ts";

export type CriticalPath = { readonly stepIds: StepId[]; readonly durationMs: number };

/**
 * The longest chain of steps, each needing the one before: the least time in which the plan can run.
 *
 * Linear in steps and dependencies: one pass over a topological order (Kahn, 1962). Dependencies on steps
 * that are not given are taken as met; steps on a cycle are left out. What needs a step that has a fallback, or is
 * verified, waits for these too.
 *
 * @param durationMsOf - What a step takes or is expected to take, in milliseconds.
 */
export function criticalPath(steps: readonly Step[], durationMsOf: (step: Step) => number): CriticalPath {
  if (steps.some(isTied)) return tiedPath(steps, durationMsOf);
  const chains = new Map<StepId, { end: number; before: StepId | undefined }>();
  let last: StepId | undefined;
  for (const { step, dependencies } of topologicalOrder(steps)) {
    let before: StepId | undefined;
    for (const dependency of dependencies) {
      const isLater = before === undefined || endOf(chains, dependency) > endOf(chains, before);
      if (chains.has(dependency) && isLater) before = dependency;
    }
    chains.set(step.id, { end: endOf(chains, before) + durationMsOf(step), before });
    if (last === undefined || endOf(chains, step.id) > endOf(chains, last)) last = step.id;
  }
  const stepIds: StepId[] = [];
  for (let id = last; id !== undefined; id = chains.get(id)?.before) stepIds.push(id);
  return { stepIds: stepIds.reverse(), durationMs: endOf(chains, last) };
}

function endOf(chains: Map<StepId, { end: number }>, id: StepId | undefined): number {
  return id === undefined ? 0 : (chains.get(id)?.end ?? 0);
}

/** A step never changes, and its path is asked for with each view of its plan. */
const needs = new WeakMap<Step, readonly StepId[]>();

function needsOf(step: Step): readonly StepId[] {
  const known = needs.get(step);
  if (known !== undefined) return known;
  const found = dependenciesOf(step);
  needs.set(step, found);
  return found;
}

type Ordered = { readonly step: Step; readonly dependencies: readonly StepId[] };

function topologicalOrder(steps: readonly Step[]): Ordered[] {
  const known = new Map(steps.map((step) => [step.id, { step, dependencies: needsOf(step) }]));
  const unmet = new Map<StepId, number>();
  const dependents = new Map<StepId, StepId[]>();
  for (const { step, dependencies } of known.values()) {
    const inside = dependencies.filter((dependency) => known.has(dependency));
    unmet.set(step.id, inside.length);
    for (const dependency of inside) {
      const list = dependents.get(dependency);
      if (list === undefined) dependents.set(dependency, [step.id]);
      else list.push(step.id);
    }
  }
  const order = [...known.values()].filter(({ step }) => unmet.get(step.id) === 0);
  for (const { step } of order) {
    for (const dependent of dependents.get(step.id) ?? []) {
      const left = (unmet.get(dependent) ?? 0) - 1;
      unmet.set(dependent, left);
      const entry = known.get(dependent);
      if (left === 0 && entry !== undefined) order.push(entry);
    }
  }
  return order;
}

function tiedPath(steps: readonly Step[], durationMsOf: (step: Step) => number): CriticalPath {
  const edges = waitGraph(
    steps.map((step) => {
      const { id, fallback, verifies } = step;
      return { id, fallback, verifies, dependencies: needsOf(step) };
    }),
  );
  const chains = new Map<number, { end: number; before: number | undefined }>();
  const endAt = (node: number | undefined): number => (node === undefined ? 0 : (chains.get(node)?.end ?? 0));
  let last: number | undefined;
  for (const node of orderOf(edges)) {
    let before: number | undefined;
    for (const needed of edges[node] ?? []) {
      if (chains.has(needed) && (before === undefined || endAt(needed) > endAt(before))) before = needed;
    }
    const step = steps[node];
    chains.set(node, { end: endAt(before) + (step === undefined ? 0 : durationMsOf(step)), before });
    if (step !== undefined && (last === undefined || endAt(node) > endAt(last))) last = node;
  }
  const stepIds: StepId[] = [];
  for (let node = last; node !== undefined; node = chains.get(node)?.before) {
    const step = steps[node];
    if (step !== undefined) stepIds.push(step.id);
  }
  return { stepIds: stepIds.reverse(), durationMs: endAt(last) };
}

/** Each node after those that it waits for. */
function orderOf(edges: readonly (readonly number[])[]): number[] {
  const dependents: number[][] = edges.map(() => []);
  for (const [node, needed] of edges.entries()) for (const other of needed) dependents[other]?.push(node);
  const unmet = edges.map((needed) => needed.length);
  const order = [...edges.keys()].filter((node) => unmet[node] === 0);
  for (const node of order) {
    for (const dependent of dependents[node] ?? []) {
      const left = (unmet[dependent] ?? 0) - 1;
      unmet[dependent] = left;
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}
