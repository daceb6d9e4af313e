import { Background, BackgroundVariant, Controls, type Edge, ReactFlow } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useSameFunction } from "../ui/use-same-function.ts";
import { useStable } from "../ui/use-stable.ts";
import { edgesOf } from "./edges-of.ts";
import { FitGraph } from "./fit-graph.tsx";
import { GraphMarks, type Marks, NO_MARKS } from "./graph-marks.ts";
import { type GraphNode, type GraphNodeData, NODE_TYPES } from "./graph-nodes.tsx";
import { type GraphModel, type NodeModel, NODES_MAX, READABLE_NODES_MAX } from "./group-steps.ts";
import { nodesOf } from "./nodes-of.ts";
import { FrontierButton, Overview } from "./overview.tsx";
import { ShowNode } from "./show-node.tsx";
import type { GraphFocus } from "./use-graph-focus.ts";
import { useGraphKeys } from "./use-graph-keys.ts";
import { useLayout } from "./use-layout.ts";
import { directionFor, heightBefore, heightFor, nodeSize, OVERVIEW_ZOOM_MIN } from "./view-port.ts";
import { PLAN_GRAPH } from "./graph-words.ts";
import type { StepStatus } from "../api/api-types.ts";
import { createStore, type Store } from "../ui/create-store.ts";
import { tiesOf } from "./next-node.ts";
import type { Topology } from "./topology.ts";
import styles from "./graph.module.css";

const NEAR_VIEW = { x: 0, y: 0, zoom: 1 };
const FAR_VIEW = { x: 0, y: 0, zoom: OVERVIEW_ZOOM_MIN };

type Props = {
  readonly graph: GraphModel;
  readonly criticalPath: readonly string[];
  /** Of the place that the graph is shown in. */
  readonly widthPx: number;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly whyOf: GraphNodeData["whyOf"];
  readonly focus: GraphFocus;
  /** What a search has found, and the node of the match that it is at; absent while nothing is searched for. */
  readonly found:
    | { readonly counts: ReadonlyMap<string, number>; readonly at: string | undefined }
    | undefined;
};

export function PlanGraph(props: Props) {
  const { graph, criticalPath, widthPx, selected, onSelect, whyOf, focus, found } = props;
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
  const isLarge = graph.nodes.length > NODES_MAX;
  const hasOverview = direction === "LR" && !isLarge && graph.nodes.length > READABLE_NODES_MAX;
  const frontier = useMemo(() => frontierOf(graph), [graph]);
  const active =
    [focus.nodeId, selected].find((id) => id !== undefined && positions?.has(id)) ?? nodes[0]?.id;
  const marks = useGraphMarks(graph.topology, { found: found?.counts, at: found?.at, active });
  const keys = useGraphKeys({ topology: graph.topology, positions, direction, focus, marks });
  const drawn = useMemo(() => (isLarge ? keepDrawn(nodes, active) : nodes), [isLarge, nodes, active]);
  const { isTouched, touch } = useTouch(focus);
  return (
    <div
      className={styles.graph}
      style={{
        height:
          positions === undefined
            ? heightBefore(graph.topology, widthPx)
            : heightFor(positions.values(), size, widthPx),
      }}
      data-testid="plan-graph"
      data-searched={found !== undefined}
      {...keys}
    >
      <GraphMarks value={marks}>
        <ReactFlow<GraphNode, Edge>
          nodes={drawn}
          edges={edges}
          nodeTypes={NODE_TYPES}
          onMoveStart={touch}
          // A large graph is first drawn as it is seen from far, and so it stays until it has been fitted.
          defaultViewport={isLarge ? FAR_VIEW : NEAR_VIEW}
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
          onlyRenderVisibleElements={isLarge}
          attributionPosition={hasOverview ? "bottom-center" : "bottom-left"}
          aria-label={PLAN_GRAPH.label}
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} />
          <FitGraph positions={positions} frontier={frontier} isTouched={isTouched} />
          <ShowNode target={focus.target} positions={positions} size={size} />
          {hasOverview && <Overview />}
          <Controls showInteractive={false} position="bottom-right" orientation="horizontal">
            {hasOverview && frontier.length > 0 && <FrontierButton frontier={frontier} />}
          </Controls>
        </ReactFlow>
      </GraphMarks>
    </div>
  );
}

/** The library draws of a large graph what is in view, and what is dragged: the keyboard's node stays. */
function keepDrawn(nodes: GraphNode[], id: string | undefined): GraphNode[] {
  return nodes.map((node) => (node.id === id ? { ...node, dragging: true } : node));
}

const AT_WORK: ReadonlySet<StepStatus> = new Set(["running", "reviewing", "awaiting-approval", "queued"]);

/** The nodes at which a plan is at work, and those that depend on them; empty for a plan at rest. */
function frontierOf({ nodes, topology }: GraphModel): string[] {
  const atWork = new Set(nodes.filter(isAtWork).map(({ id }) => id));
  const next = topology.edges.filter(({ from }) => atWork.has(from)).map(({ to }) => to);
  return [...atWork.union(new Set(next))];
}

function isAtWork(node: NodeModel): boolean {
  return (node.kind === "step" ? [node.step] : node.steps).some(({ status }) => AT_WORK.has(status));
}

/** The graph's marks as they are now, told to those nodes that they change. */
function useGraphMarks(
  topology: Topology,
  { found, at, active }: Pick<Marks, "found" | "at" | "active">,
): Store<Marks> {
  const [marks] = useState(() => createStore(NO_MARKS));
  // The key stands for the topology.
  const ties = useMemo(() => tiesOf(topology), [topology.key]);
  useLayoutEffect(() => {
    marks.set({ ...marks.get(), found, at, active, ties });
  }, [marks, found, at, active, ties]);
  return marks;
}

/** Whether the reader has chosen a part of the graph to look at: by moving it, by keys, or by a search. */
function useTouch({ target, release }: GraphFocus) {
  const touched = useRef(false);
  const isTouched = useCallback(() => touched.current, []);
  useEffect(() => {
    if (target !== undefined) touched.current = true;
  }, [target]);
  /** @param event - Absent when the graph was moved by the page itself. */
  const touch = useCallback(
    (event: unknown) => {
      if (event === null) return;
      touched.current = true;
      release();
    },
    [release],
  );
  return { isTouched, touch };
}
