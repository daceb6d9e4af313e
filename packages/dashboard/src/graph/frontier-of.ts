import type { StepStatus } from "../api/api-types.ts";
import type { GraphModel, NodeModel } from "./group-steps.ts";

const AT_WORK: ReadonlySet<StepStatus> = new Set(["running", "reviewing", "awaiting-approval", "queued"]);

/** The nodes at which a plan is at work, and those that depend on them; empty for a plan at rest. */
export function frontierOf({ nodes, topology }: GraphModel): string[] {
  const atWork = new Set(nodes.filter(isAtWork).map(({ id }) => id));
  const next = topology.edges.filter(({ from }) => atWork.has(from)).map(({ to }) => to);
  return [...atWork.union(new Set(next))];
}

function isAtWork(node: NodeModel): boolean {
  return (node.kind === "step" ? [node.step] : node.steps).some(({ status }) => AT_WORK.has(status));
}
