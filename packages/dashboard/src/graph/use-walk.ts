import { useState } from "react";
import type { StepView } from "../api/api-types.ts";
import { matchBeside } from "../plan/find-steps.ts";
import type { Walk } from "../plan/step-search-field.tsx";
import { nodeOfStep } from "./found-in.ts";
import type { NodeModel } from "./group-steps.ts";

/**
 * A walk from match to match of a search in the graph.
 *
 * @param onNode - Shows the node that the next match is in.
 */
export function useWalk(
  found: readonly StepView[] | undefined,
  nodes: readonly NodeModel[],
  onNode: (node: NodeModel) => void,
): Walk & { readonly nodeId: string | undefined } {
  const [stepId, setStepId] = useState<string>();
  const at = found?.find(({ id }) => id === stepId);
  const go = (by: 1 | -1) => {
    const next = matchBeside(found ?? [], stepId, by);
    const node = nodeOfStep(nodes, next?.id);
    if (next === undefined || node === undefined) return;
    setStepId(next.id);
    onNode(node);
  };
  return { at, go, nodeId: nodeOfStep(nodes, at?.id)?.id };
}
