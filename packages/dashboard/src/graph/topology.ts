/** The input of the graph's layout: the steps, their dependencies and their fallbacks. Never their status. */
import { dependenciesOf } from "@planwright/plan/dependencies";
import type { StepView } from "../api/api-types.ts";

type Planned = Pick<StepView, "id" | "args" | "dependsOn" | "when" | "forEach" | "verifies" | "fallback">;

export type TopologyEdge = {
  readonly from: string;
  readonly to: string;
  /** `to` runs instead when `from` fails. */
  readonly isFallback?: true;
};

export type Topology = {
  /** In the plan's order. */
  readonly ids: readonly string[];
  readonly edges: readonly TopologyEdge[];
  /** Equal for equal topologies; layouts are cached by it. */
  readonly key: string;
};

/** Omits edges from and to steps that are not in the plan, and edges of a step to itself. */
export function topologyOf(steps: readonly Planned[]): Topology {
  const known = new Set<string>(steps.map((step) => step.id));
  const edges = steps
    .flatMap(edgesOfStep)
    .filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const ids = steps.map((step) => step.id);
  return { ids, edges, key: `${ids.join(",")}|${edges.map(({ from, to }) => `${from}>${to}`).join(",")}` };
}

/** An unchanged step is the same object as in the previous view, and has the same dependencies. */
const seen = new WeakMap<Planned, TopologyEdge[]>();

function edgesOfStep(step: Planned): TopologyEdge[] {
  const known = seen.get(step);
  if (known !== undefined) return known;
  const edges = edgesAt(step);
  seen.set(step, edges);
  return edges;
}

function edgesAt(step: Planned): TopologyEdge[] {
  const needed = dependenciesOf(step).map((from) => ({ from, to: step.id }));
  const { fallback } = step;
  return fallback === undefined ? needed : [...needed, { from: step.id, to: fallback, isFallback: true }];
}

/**
 * The layer of each step: 0 without dependencies, else one more than the latest of them. Linear; steps on
 * a cycle, which no accepted plan has, are in layer 0.
 */
export function layersOf({ ids, edges }: Pick<Topology, "ids" | "edges">): Map<string, number> {
  const layers = new Map(ids.map((id) => [id, 0]));
  const unmet = new Map(ids.map((id) => [id, 0]));
  const dependents = new Map<string, string[]>();
  for (const { from, to } of edges) {
    unmet.set(to, (unmet.get(to) ?? 0) + 1);
    const list = dependents.get(from);
    if (list === undefined) dependents.set(from, [to]);
    else list.push(to);
  }
  const order = ids.filter((id) => unmet.get(id) === 0);
  for (const id of order) {
    for (const dependent of dependents.get(id) ?? []) {
      layers.set(dependent, Math.max(layers.get(dependent) ?? 0, (layers.get(id) ?? 0) + 1));
      const left = (unmet.get(dependent) ?? 0) - 1;
      unmet.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  return layers;
}
