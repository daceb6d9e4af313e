import { Background, BackgroundVariant, Controls, type Edge, ReactFlow } from "@xyflow/react";
import { useCallback, useMemo, useRef } from "react";
import { useSameFunction } from "../ui/use-same-function.ts";
import { useStable } from "../ui/use-stable.ts";
import { edgesOf } from "./edges-of.ts";
import { FitGraph } from "./fit-graph.tsx";
import { type GraphNode, type GraphNodeData, NODE_TYPES } from "./graph-nodes.tsx";
import { type GraphModel, NODES_MAX } from "./group-steps.ts";
import { nodesOf } from "./nodes-of.ts";
import { useLayout } from "./use-layout.ts";
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
  const select = useSameFunction(onSelect);
  const why = useSameFunction(whyOf);
  const nodes = useStable(
    useMemo(
      () =>
        nodesOf({ graph, criticalPath, positions, direction, size, selected, onSelect: select, whyOf: why }),
      [graph, criticalPath, positions, direction, size, selected, select, why],
    ),
  );
  const edges = useStable(useMemo(() => edgesOf(graph, criticalPath), [graph, criticalPath]));
  const touched = useRef(false);
  const isTouched = useCallback(() => touched.current, []);
  const touch = useCallback((event: unknown) => {
    if (event !== null) touched.current = true;
  }, []);
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
        onMoveStart={touch}
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
