import type { Edge } from "@xyflow/react";
import { isSettled } from "../plan/is-settled.ts";
import type { GraphModel, NodeModel } from "./group-steps.ts";

/** The graph's edges: dashed and moving into what runs, strong along the critical path, dotted to a fallback. */
export function edgesOf({ nodes, topology }: GraphModel, criticalPath: readonly string[]): Edge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const critical = new Set(criticalPath.slice(1).map((id, index) => `${criticalPath[index]}>${id}`));
  return topology.edges.map(({ from, to, isFallback }) => {
    const id = `${from}>${to}`;
    const source = byId.get(from);
    const target = byId.get(to);
    const classes = [
      critical.has(id) && "edge-critical",
      target !== undefined && isRunning(target) && "edge-active",
      source !== undefined && isDone(source) && "edge-done",
      isFallback && "edge-fallback",
    ];
    const label = isFallback ? { label: "if it fails" } : {};
    return { id, source: from, target: to, className: classes.filter(Boolean).join(" "), ...label };
  });
}

function isRunning(node: NodeModel): boolean {
  if (node.kind === "step") return node.step.status === "running";
  return node.steps.some((step) => step.status === "running");
}

function isDone(node: NodeModel): boolean {
  return node.kind === "step" ? node.step.status === "succeeded" : node.steps.every(isSettled);
}
