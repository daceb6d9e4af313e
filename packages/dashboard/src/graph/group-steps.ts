/** Steps shown as one node: in large plans, steps that do the same work; on request, the steps of a finished stage. */
import { isSettled } from "../plan/is-settled.ts";
import type { StepView } from "../api/api-types.ts";
import { formatCount } from "../ui/format.ts";
import { layersOf, type Topology, type TopologyEdge, topologyOf } from "./topology.ts";
import { GROUP_STEPS } from "./graph-words.ts";

/** With more nodes than this, a graph is neither readable nor quick to lay out. */
export const NODES_MAX = 150;
/** Fewer similar steps are shown one by one. */
const GROUP_SIZE_MIN = 5;
/** With more nodes than this, the overall shape matters more than the text in each node. */
export const READABLE_NODES_MAX = 30;

type StepNodeModel = { readonly kind: "step"; readonly id: string; readonly step: StepView };
export type GroupNodeModel = {
  readonly kind: "group";
  readonly id: string;
  /** `sql.query`, or `sql.query and 2 other tools`. */
  readonly tool: string;
  readonly steps: readonly StepView[];
};
export type NodeModel = StepNodeModel | GroupNodeModel;

export type GraphModel = { readonly nodes: readonly NodeModel[]; readonly topology: Topology };

/**
 * The nodes of a plan's graph: its steps, and above {@link NODES_MAX} steps, groups of them.
 *
 * Steps are similar when they run the same tool, in the same layer, after similar steps. A group lies in one layer, so
 * the graph of groups has no cycle either.
 */
export function graphOf(steps: readonly StepView[], { collapse = false } = {}): GraphModel {
  const topology = topologyOf(steps);
  if (steps.length > NODES_MAX)
    return grouped(steps, likenessOf(steps, topology), { topology, min: GROUP_SIZE_MIN });
  if (collapse) return grouped(steps, stageOf(steps, topology), { topology, min: 2 });
  return { nodes: steps.map(single), topology };
}

function grouped(
  steps: readonly StepView[],
  keyOf: (step: StepView) => unknown,
  { topology, min }: { readonly topology: Topology; readonly min: number },
): GraphModel {
  const nodes = [...Map.groupBy(steps, keyOf).values()].flatMap((group): NodeModel[] => {
    const [first] = group;
    if (first === undefined || group.length < min) return group.map(single);
    return [{ kind: "group", id: `group:${first.id}`, tool: toolsOf(group), steps: group }];
  });
  return { nodes, topology: contract(nodes, topology) };
}

function toolsOf(steps: readonly StepView[]): string {
  const [first = "", ...others] = new Set(steps.map(({ tool }) => tool));
  return others.length === 0 ? first : `${first} and ${formatCount(others.length, GROUP_STEPS.otherTool)}`;
}

/** Whether collapsing finished stages would change the graph. */
export function hasFinishedStages(steps: readonly StepView[]): boolean {
  const topology = topologyOf(steps);
  const stages = Map.groupBy(steps, stageOf(steps, topology));
  return stages.values().some((stage) => stage.length > 1);
}

/**
 * The stage of each step. A finished step whose dependents have all finished belongs to the stage of its layer; every
 * other step is a separate stage. A stage never spans two layers, so the graph of stages has no cycle.
 */
function stageOf(steps: readonly StepView[], topology: Topology): (step: StepView) => unknown {
  const layers = layersOf(topology);
  const open = new Set<string>(steps.filter((step) => !isSettled(step)).map(({ id }) => id));
  const atFrontier = new Set(topology.edges.filter(({ to }) => open.has(to)).map(({ from }) => from));
  return ({ id }) => (open.has(id) || atFrontier.has(id) ? id : layers.get(id));
}

/** An unchanged step is the same object as in the previous view, and so is its model. */
const seen = new WeakMap<StepView, StepNodeModel>();

function single(step: StepView): StepNodeModel {
  const known = seen.get(step);
  if (known !== undefined) return known;
  const model: StepNodeModel = { kind: "step", id: step.id, step };
  seen.set(step, model);
  return model;
}

/** A short key per step, equal for similar steps. */
function likenessOf(steps: readonly StepView[], topology: Topology): (step: StepView) => number {
  const layers = layersOf(topology);
  const before = Map.groupBy(topology.edges, ({ to }) => to);
  const keys = new Map<string, number>();
  const likeness = new Map<string, number>();
  const inOrder = steps.toSorted((left, right) => (layers.get(left.id) ?? 0) - (layers.get(right.id) ?? 0));
  for (const step of inOrder) {
    const dependencies = (before.get(step.id) ?? []).map(({ from }) => likeness.get(from) ?? -1);
    const alike = [...new Set(dependencies)].sort((left, right) => left - right);
    const key = JSON.stringify([layers.get(step.id), step.tool, alike]);
    const number = keys.get(key) ?? keys.size;
    keys.set(key, number);
    likeness.set(step.id, number);
  }
  return (step) => likeness.get(step.id) ?? -1;
}

function contract(nodes: readonly NodeModel[], topology: Topology): Topology {
  const nodeOf = new Map<string, string>();
  for (const node of nodes) {
    if (node.kind === "step") nodeOf.set(node.id, node.id);
    else for (const step of node.steps) nodeOf.set(step.id, node.id);
  }
  const edges = new Map<string, TopologyEdge>();
  for (const edge of topology.edges) {
    const from = nodeOf.get(edge.from) ?? edge.from;
    const to = nodeOf.get(edge.to) ?? edge.to;
    edges.set(`${from}>${to}`, { ...edge, from, to });
  }
  const ids = nodes.map((node) => node.id);
  return { ids, edges: [...edges.values()], key: `${ids.join(",")}|${[...edges.keys()].join(",")}` };
}
