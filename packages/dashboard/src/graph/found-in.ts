import type { GraphModel, NodeModel } from "./group-steps.ts";

/** How many of some steps each node stands for: 0 for nodes that stand for none of them. */
export function foundIn(
  nodes: GraphModel["nodes"],
  found: readonly { readonly id: string }[],
): ReadonlyMap<string, number> {
  const ids = new Set(found.map(({ id }) => id));
  const count = (node: NodeModel): number => {
    if (node.kind === "step") return ids.has(node.id) ? 1 : 0;
    return node.steps.filter((step) => ids.has(step.id)).length;
  };
  return new Map(nodes.map((node) => [node.id, count(node)]));
}

/** The node that a step is shown in: its own, or that of its group. */
export function nodeOfStep(nodes: GraphModel["nodes"], stepId: string | undefined): NodeModel | undefined {
  return nodes.find((node) =>
    node.kind === "step" ? node.id === stepId : node.steps.some(({ id }) => id === stepId),
  );
}
