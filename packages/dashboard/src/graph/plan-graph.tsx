import { Background, BackgroundVariant, Controls, type Edge, ReactFlow } from "@xyflow/react";
import { useCallback, useMemo, useRef } from "react";
import { edgesOf } from "./edges-of.ts";
import { FitGraph } from "./fit-graph.tsx";
import { type GraphNode, type GraphNodeData, NODE_TYPES, type NodeType } from "./graph-nodes.tsx";
import { type GraphModel, NODES_MAX, type NodeModel } from "./group-steps.ts";
import type { Direction, NodeSize } from "./layout-types.ts";
import { type Positions, useLayout } from "./use-layout.ts";
import { directionFor, heightFor, nodeSize, OVERVIEW_ZOOM_MIN } from "./view-port.ts";

type Props = {
  readonly graph: GraphModel;
  readonly criticalPath: readonly string[];
  /** Of the place that the graph is shown in. */
  readonly widthPx: number;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly whyOf: GraphNodeData["whyOf"];
};

export function PlanGraph({ graph, criticalPath, widthPx, selected, onSelect, whyOf }: Props) {
  const direction = directionFor(widthPx);
  const size = nodeSize(direction);
  const positions = useLayout(graph.topology, direction, size);
  const nodes = useNodes({ graph, criticalPath, positions, direction, size, selected, onSelect, whyOf });
  const edges = useMemo(() => edgesOf(graph, criticalPath), [graph, criticalPath]);
  const touched = useRef(false);
  const isTouched = useCallback(() => touched.current, []);
  return (
    <div
      className="graph"
      style={{ height: heightFor(positions?.values() ?? [], size, widthPx) }}
      data-testid="plan-graph"
    >
      <ReactFlow<GraphNode, Edge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onMoveStart={(event) => {
          if (event !== null) touched.current = true;
        }}
        minZoom={OVERVIEW_ZOOM_MIN}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        // The page scrolls with the wheel; the graph zooms with Ctrl, the buttons or two fingers.
        preventScrolling={false}
        zoomOnScroll={false}
        onlyRenderVisibleElements={nodes.length > NODES_MAX}
        attributionPosition="bottom-left"
        aria-label="The plan's steps as a graph; the tab Steps lists them"
      >
        <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} />
        <FitGraph positions={positions} isTouched={isTouched} />
        <Controls showInteractive={false} position="bottom-right" orientation="horizontal" />
      </ReactFlow>
    </div>
  );
}

type NodesProps = Omit<Props, "widthPx"> & {
  readonly positions: Positions | undefined;
  readonly direction: Direction;
  readonly size: NodeSize;
};

function useNodes(props: NodesProps) {
  const { graph, criticalPath, positions, direction, size, selected } = props;
  const latest = useRef(props);
  latest.current = props;
  return useMemo(() => {
    const critical = new Set(criticalPath);
    return graph.nodes.flatMap((model): GraphNode[] => {
      const position = positions?.get(model.id);
      // A step that was planned a moment ago appears with the next layout.
      if (position === undefined) return [];
      const isCritical =
        model.kind === "step" ? critical.has(model.id) : model.steps.some((step) => critical.has(step.id));
      const data: GraphNodeData = {
        model,
        critical: isCritical,
        selected: model.id === selected,
        direction,
        onSelect: (id) => latest.current.onSelect(id),
        whyOf: (step) => latest.current.whyOf(step),
      };
      return [{ id: model.id, type: typeOf(model), position, width: size.width, height: size.height, data }];
    });
  }, [graph, criticalPath, positions, direction, size, selected]);
}

function typeOf(model: NodeModel): NodeType {
  return model.kind === "group" ? "steps" : "step";
}
