import { Background, BackgroundVariant, type Edge, ReactFlow, useReactFlow, useStore } from "@xyflow/react";
import {
  type FocusEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { StepStatus } from "../api/api-types.ts";
import { useKeys } from "../keys/use-keys.ts";
import { createStore, type Store } from "../ui/create-store.ts";
import { useSameFunction, useStable } from "../ui/use-stable.ts";
import {
  GraphMarks,
  type Marks,
  NO_MARKS,
  type GraphNode,
  type GraphNodeData,
  NODE_TYPES,
} from "./graph-nodes.tsx";
import { PLAN_GRAPH, USE_GRAPH_KEYS } from "./graph-words.ts";
import { type GraphModel, type NodeModel, NODES_MAX, READABLE_NODES_MAX } from "./group-steps.ts";
import type { Direction, NodeSize } from "./layout-types.ts";
import { nextNode, tiesOf } from "./next-node.ts";
import { edgesOf, nodesOf } from "./nodes-of.ts";
import { FitGraph, GraphControls, Overview } from "./overview.tsx";
import type { Topology } from "./topology.ts";
import type { GraphFocus, Target } from "./graph-tab.tsx";
import { type Positions, useLayout } from "./use-layout.ts";
import {
  CONTROLS_PX,
  directionFor,
  heightBefore,
  heightFor,
  isInView,
  nodeSize,
  OVERVIEW_ZOOM_MIN,
  ZOOM_MIN,
} from "./view-port.ts";

const MOVE_MS = 180;

const NEAR_VIEW = { x: 0, y: 0, zoom: 1 };
const FAR_VIEW = { x: 0, y: 0, zoom: OVERVIEW_ZOOM_MIN };

type Props = {
  readonly graph: GraphModel;
  readonly criticalPath: readonly string[];
  /** Of the area that shows the graph. */
  readonly widthPx: number;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly whyOf: GraphNodeData["whyOf"];
  readonly focus: GraphFocus;
  /** The matches of a search, and the node of the current match; absent without a search. */
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
      className="relative max-h-[72dvh] bg-sunken"
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
          // A large graph is first drawn in its zoomed-out form, until it has been fitted.
          defaultViewport={isLarge ? FAR_VIEW : NEAR_VIEW}
          minZoom={OVERVIEW_ZOOM_MIN}
          maxZoom={1.6}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          // The wheel scrolls the page; Ctrl, the buttons or two fingers zoom the graph.
          preventScrolling={false}
          zoomOnScroll={false}
          onlyRenderVisibleElements={isLarge}
          attributionPosition={hasOverview ? "bottom-center" : "bottom-left"}
          aria-label={PLAN_GRAPH.label}
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} />
          <FitGraph positions={positions} size={size} frontier={frontier} isTouched={isTouched} />
          <ShowNode target={focus.target} positions={positions} size={size} />
          {hasOverview && <Overview />}
          <GraphControls frontier={hasOverview ? frontier : []} />
        </ReactFlow>
      </GraphMarks>
    </div>
  );
}

/** In a large graph, the library draws only visible and dragged nodes: this keeps the node with the focus. */
function keepDrawn(nodes: GraphNode[], id: string | undefined): GraphNode[] {
  return nodes.map((node) => (node.id === id ? { ...node, dragging: true } : node));
}

const AT_WORK: ReadonlySet<StepStatus> = new Set(["running", "reviewing", "awaiting-approval", "queued"]);

/** The nodes that a plan is working on, and their dependents; empty for a plan that is not running. */
function frontierOf({ nodes, topology }: GraphModel): string[] {
  const atWork = new Set(nodes.filter(isAtWork).map(({ id }) => id));
  const next = topology.edges.filter(({ from }) => atWork.has(from)).map(({ to }) => to);
  return [...atWork.union(new Set(next))];
}

function isAtWork(node: NodeModel): boolean {
  return (node.kind === "step" ? [node.step] : node.steps).some(({ status }) => AT_WORK.has(status));
}

/** The graph's current marks; only nodes whose marks change are notified. */
function useGraphMarks(
  topology: Topology,
  { found, at, active }: Pick<Marks, "found" | "at" | "active">,
): Store<Marks> {
  const [marks] = useState(() => createStore(NO_MARKS));
  // The key represents the topology.
  const ties = useMemo(() => tiesOf(topology), [topology.key]);
  useLayoutEffect(() => {
    marks.set({ ...marks.get(), found, at, active, ties });
  }, [marks, found, at, active, ties]);
  return marks;
}

/** Whether the reader has chosen a part of the graph to look at: by moving it, by keyboard, or by a search. */
function useTouch({ target, release }: GraphFocus) {
  const touched = useRef(false);
  const isTouched = useCallback(() => touched.current, []);
  useEffect(() => {
    if (target !== undefined) touched.current = true;
  }, [target]);
  /** @param event - Absent when the page itself moved the graph. */
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

type ShowNodeProps = {
  readonly target: Target | undefined;
  readonly positions: Positions | undefined;
  readonly size: NodeSize;
};

/** Brings a node into view, large enough to read, and again when the graph's area has changed. */
function ShowNode({ target, positions, size }: ShowNodeProps) {
  const { setCenter, getViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const position = target && positions?.get(target.id);
  useEffect(() => {
    if (target === undefined || position === undefined || width === 0) return;
    const viewport = getViewport();
    const place = { width, height: height - CONTROLS_PX };
    if (!target.centred && isInView(position, size, { ...place, viewport })) return;
    const zoom = Math.max(viewport.zoom, ZOOM_MIN);
    const x = position.x + size.width / 2;
    const y = position.y + size.height / 2;
    void setCenter(x, y, { zoom, duration: isCalm() ? 0 : MOVE_MS });
  }, [target, position, size, width, height, setCenter, getViewport]);
  return null;
}

function isCalm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

type Options = {
  readonly topology: Topology;
  readonly positions: Positions | undefined;
  readonly direction: Direction;
  readonly focus: GraphFocus;
  readonly marks: Store<Marks>;
};

/** Keyboard control of the graph: Tab reaches one node, the arrow keys reach the others from there. */
function useGraphKeys({ topology, positions, direction, focus, marks }: Options) {
  const across = direction === "LR";
  useKeys([
    {
      keys: across ? "ArrowRight ArrowLeft" : "ArrowDown ArrowUp",
      label: USE_GRAPH_KEYS.across,
    },
    {
      keys: across ? "ArrowUp ArrowDown" : "ArrowLeft ArrowRight",
      label: USE_GRAPH_KEYS.along,
    },
    { keys: "Home End", label: USE_GRAPH_KEYS.ends },
  ]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const from = nodeOf(event.target);
    if (from === undefined || positions === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const next = nextNode(event.key, from, { topology, positions, direction });
    if (next === undefined && !/^(Arrow\w+|Home|End)$/.test(event.key)) return;
    // Even if there is no next node: the page must not scroll.
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return;
    const drawn = event.currentTarget.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`);
    if (drawn !== null) return drawn.focus({ preventScroll: true });
    marks.set({ ...marks.get(), awaited: next });
    focus.goTo({ id: next, centred: false });
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const id = nodeOf(event.target);
    if (id === undefined) return;
    marks.set({ ...marks.get(), awaited: undefined });
    if (!event.target.matches(":focus-visible")) return focus.settleAt(id);
    focus.goTo({ id, centred: false });
    event.currentTarget.scrollIntoView({ block: "nearest" });
  };
  return { onKeyDown, onFocus };
}

function nodeOf(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset["node"] : undefined;
}
