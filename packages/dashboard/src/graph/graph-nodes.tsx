import type { Node } from "@xyflow/react";
import { memo } from "react";
import type { StepView } from "../api/api-types.ts";
import { GroupNode } from "./group-node.tsx";
import type { NodeModel } from "./group-steps.ts";
import type { Direction } from "./layout-types.ts";
import { StepNode } from "./step-node.tsx";

export type GraphNodeData = {
  readonly model: NodeModel;
  readonly critical: boolean;
  readonly selected: boolean;
  readonly direction: Direction;
  readonly onSelect: (id: string) => void;
  /** Describes what a step waits for; called only when the reader asks for it. */
  readonly whyOf: (step: StepView) => string | undefined;
};

export type GraphNode = Node<GraphNodeData>;

/** Keyed by the node type that the library uses. Its built-in type `group` means something else. */
export const NODE_TYPES = { step: memo(StepNode), steps: memo(GroupNode) };
export type NodeType = keyof typeof NODE_TYPES;
