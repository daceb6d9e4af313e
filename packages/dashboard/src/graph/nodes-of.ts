import type { Edge } from "@xyflow/react";
import clsx from "clsx";
import { isSettled } from "../plan/is-settled.ts";
import type { GraphNode, GraphNodeData, NodeType } from "./graph-nodes.tsx";
import { EDGES_OF } from "./graph-words.ts";
import type { GraphModel, NodeModel } from "./group-steps.ts";
import type { Direction, NodeSize, Position } from "./layout-types.ts";
import type { TopologyEdge } from "./topology.ts";
import type { Positions } from "./use-layout.ts";

const CRITICAL = "[--xy-edge-stroke:var(--critical)] [--xy-edge-stroke-width:3]";
const ACTIVE = "[--xy-edge-stroke:var(--run)]";
const DONE = "[--xy-edge-stroke:color-mix(in_srgb,var(--ok)_55%,var(--border-strong))]";
const DOTTED = "[stroke-dasharray:1_5] [stroke-linecap:round]";
const DASHED = "[stroke-dasharray:6_5]";
const MOVING = "[&_.react-flow__edge-path]:animate-[var(--motion,flow_0.7s_linear_infinite)]";

/** The last edge of each dependency: between unchanged steps, it is the same object as before. */
const madeEdges = new WeakMap<TopologyEdge, Edge>();

type NodesOptions = {
  readonly graph: GraphModel;
  readonly criticalPath: readonly string[];
  readonly positions: Positions | undefined;
  readonly direction: Direction;
  readonly size: NodeSize;
  readonly selected: string | undefined;
} & Pick<GraphNodeData, "onSelect" | "whyOf">;

/** The graph's nodes at their positions; a step that was just planned appears with the next layout. */
export function nodesOf(options: NodesOptions): GraphNode[] {
  const { graph, criticalPath, positions, direction, size, selected, onSelect, whyOf } = options;
  const critical = new Set(criticalPath);
  return graph.nodes.flatMap((model): GraphNode[] => {
    const position = positions?.get(model.id);
    if (position === undefined) return [];
    const isCritical =
      model.kind === "step" ? critical.has(model.id) : model.steps.some((step) => critical.has(step.id));
    const isSelected = model.id === selected;
    const data = { model, critical: isCritical, selected: isSelected, direction, onSelect, whyOf };
    return [nodeOf(data, position, size)];
  });
}

/** The last node of each model. An unchanged step has the same model as before. */
const made = new WeakMap<NodeModel, GraphNode>();

function nodeOf(data: GraphNodeData, position: Position, { width, height }: NodeSize): GraphNode {
  const { model } = data;
  const known = made.get(model);
  if (known !== undefined && known.position === position && isSame(known.data, data)) return known;
  // Marked as measured: otherwise the library would measure its handles again after each change.
  const measured = { width, height };
  const node = { id: model.id, type: typeOf(model), position, width, height, measured, data };
  made.set(model, node);
  return node;
}

function isSame(left: GraphNodeData, right: GraphNodeData): boolean {
  return (
    left.critical === right.critical &&
    left.selected === right.selected &&
    left.direction === right.direction &&
    left.onSelect === right.onSelect &&
    left.whyOf === right.whyOf
  );
}

function typeOf(model: NodeModel): NodeType {
  return model.kind === "group" ? "steps" : "step";
}

/** The graph's edges: dashed and moving toward a running step, strong along the critical path, dotted to a fallback. */
export function edgesOf({ nodes, topology }: GraphModel, criticalPath: readonly string[]): Edge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const critical = new Set(criticalPath.slice(1).map((id, index) => `${criticalPath[index]}>${id}`));
  return topology.edges.map((edge) => {
    const { from, to, isFallback } = edge;
    const id = `${from}>${to}`;
    const source = byId.get(from);
    const target = byId.get(to);
    const isActive = target !== undefined && isRunning(target);
    const isDone = source !== undefined && hasEndedWell(source);
    const colour = critical.has(id) ? CRITICAL : isActive ? ACTIVE : isDone ? DONE : "";
    const dashes = isFallback ? DOTTED : isActive ? DASHED : "";
    return edgeOf(edge, id, clsx(colour, dashes, isActive && MOVING));
  });
}

function edgeOf(tie: TopologyEdge, id: string, className: string): Edge {
  const known = madeEdges.get(tie);
  if (known?.className === className) return known;
  const label = tie.isFallback ? { label: EDGES_OF.ifItFails } : {};
  const edge = { id, source: tie.from, target: tie.to, className, ...label };
  madeEdges.set(tie, edge);
  return edge;
}

function isRunning(node: NodeModel): boolean {
  if (node.kind === "step") return node.step.status === "running";
  return node.steps.some((step) => step.status === "running");
}

function hasEndedWell(node: NodeModel): boolean {
  return node.kind === "step" ? node.step.status === "succeeded" : node.steps.every(isSettled);
}
