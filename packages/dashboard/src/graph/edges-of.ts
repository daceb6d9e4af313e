import type { Edge } from "@xyflow/react";
import { isSettled } from "../plan/is-settled.ts";
import type { GraphModel, NodeModel } from "./group-steps.ts";
import type { TopologyEdge } from "./topology.ts";
import { EDGES_OF } from "./graph-words.ts";
import styles from "./graph.module.css";

/** The graph's edges: dashed and moving into what runs, strong along the critical path, dotted to a fallback. */
export function edgesOf({ nodes, topology }: GraphModel, criticalPath: readonly string[]): Edge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const critical = new Set(criticalPath.slice(1).map((id, index) => `${criticalPath[index]}>${id}`));
  return topology.edges.map((edge) => {
    const { from, to, isFallback } = edge;
    const id = `${from}>${to}`;
    const source = byId.get(from);
    const target = byId.get(to);
    const classes = [
      critical.has(id) && styles.edgeCritical,
      target !== undefined && isRunning(target) && styles.edgeActive,
      source !== undefined && isDone(source) && styles.edgeDone,
      isFallback && styles.edgeFallback,
    ];
    return edgeOf(edge, id, classes.filter(Boolean).join(" "));
  });
}

/** The last edge of each dependency: between steps that have not changed, it is the same as before. */
const made = new WeakMap<TopologyEdge, Edge>();

function edgeOf(tie: TopologyEdge, id: string, className: string): Edge {
  const known = made.get(tie);
  if (known?.className === className) return known;
  const label = tie.isFallback ? { label: EDGES_OF.ifItFails } : {};
  const edge = { id, source: tie.from, target: tie.to, className, ...label };
  made.set(tie, edge);
  return edge;
}

function isRunning(node: NodeModel): boolean {
  if (node.kind === "step") return node.step.status === "running";
  return node.steps.some((step) => step.status === "running");
}

function isDone(node: NodeModel): boolean {
  return node.kind === "step" ? node.step.status === "succeeded" : node.steps.every(isSettled);
}
