import {
  ControlButton,
  Controls,
  MiniMap,
  type MiniMapNodeProps,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { useEffect, useRef } from "react";
import { PLAN_WORDS } from "../plan/plan-words.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOf } from "../ui/status-badge.tsx";
import type { GraphNode } from "./graph-nodes.tsx";
import { groupStatus } from "./group-status.ts";
import { READABLE_NODES_MAX } from "./group-steps.ts";
import type { NodeSize } from "./layout-types.ts";
import type { Positions } from "./use-layout.ts";
import { areWellInView, CONTROLS_PX, OVERVIEW_ZOOM_MIN, ZOOM_MIN } from "./view-port.ts";

const PADDING = { x: 0.06, top: 0.06, bottom: `${CONTROLS_PX}px` } as const;
const MOVE_MS = 250;

const SIZE = { width: 168, height: 96 };

/** A small map of the whole graph, with the visible part; drag it to look elsewhere. */
export function Overview() {
  return (
    <MiniMap<GraphNode>
      ariaLabel={PLAN_WORDS.minimap}
      position="bottom-left"
      className="overflow-hidden rounded-md border border-line"
      style={SIZE}
      bgColor="var(--surface)"
      maskColor="color-mix(in srgb, var(--sunken) 70%, transparent)"
      nodeClassName={toneOf}
      nodeComponent={OverviewNode}
      pannable
      zoomable
    />
  );
}

function toneOf({ data: { model } }: GraphNode): string {
  const status = model.kind === "step" ? model.step.status : groupStatus(model.steps);
  return `tone-${lookOf(status).tone}`;
}

function OverviewNode({ x, y, width, height, className }: MiniMapNodeProps) {
  return <rect className={`fill-tone ${className}`} x={x} y={y} width={width} height={height} rx={8} />;
}

type ControlsProps = {
  /** The nodes that the plan is working on, in a large graph. */
  readonly frontier: readonly string[];
};

export function GraphControls({ frontier }: ControlsProps) {
  return (
    <Controls
      className="overflow-hidden rounded-md border border-line shadow-card"
      showInteractive={false}
      position="bottom-right"
      orientation="horizontal"
    >
      {frontier.length > 0 && <FrontierButton frontier={frontier} />}
    </Controls>
  );
}

/** A button that shows where the plan is working. */
function FrontierButton({ frontier }: ControlsProps) {
  const { fitView } = useReactFlow();
  const show = () =>
    void fitView({ nodes: frontier.map((id) => ({ id })), padding: PADDING, minZoom: ZOOM_MIN, maxZoom: 1 });
  return (
    <ControlButton title={PLAN_WORDS.frontier} aria-label={PLAN_WORDS.frontier} onClick={show}>
      <Icon name="target" size={14} />
    </ControlButton>
  );
}

/** Otherwise a node could move away from under the pointer, and the graph would move more than it rests. */
const FOLLOW_MS = 1_000;

type Props = {
  readonly positions: Positions | undefined;
  readonly size: NodeSize;
  /** The nodes that the plan is working on: a large graph shows them instead of the whole. */
  readonly frontier: readonly string[];
  /** True once the reader has chosen a part of the graph to look at. */
  readonly isTouched: () => boolean;
};

/**
 * Fits the graph after each layout and resize, until the reader moves it: the whole graph or, if it would be too small to
 * read, the part that the plan is working on.
 *
 * It follows the plan only once that part has left the view, and at most once a second.
 */
export function FitGraph({ positions, size, frontier, isTouched }: Props) {
  const { fitView, getViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const fitted = useRef<{ readonly place: string; readonly layout: Positions; readonly atMs: number }>(null);
  const isLarge = positions !== undefined && positions.size > READABLE_NODES_MAX;
  const shown = isLarge ? frontier.filter((id) => positions.has(id)).join("\n") : "";
  useEffect(() => {
    if (positions === undefined || width === 0 || isTouched()) return;
    const place = `${width} ${height}`;
    const last = fitted.current;
    const follows = shown !== "" && last?.place === place && last.layout === positions;
    const nodes = shown.split("\n").map((id) => ({ id }));
    const fit = (): void => {
      if (isTouched()) return;
      const seen = nodes.flatMap(({ id }) => positions.get(id) ?? []);
      const view = { width, height: height - CONTROLS_PX, viewport: getViewport() };
      if (follows && areWellInView(seen, size, view)) return;
      fitted.current = { place, layout: positions, atMs: performance.now() };
      const part =
        shown === "" ? { minZoom: isLarge ? OVERVIEW_ZOOM_MIN : ZOOM_MIN } : { nodes, minZoom: ZOOM_MIN };
      const duration = shown !== "" && last !== null ? MOVE_MS : 0;
      void fitView({ padding: PADDING, maxZoom: 1, duration, ...part });
    };
    // After this layout's nodes have been rendered.
    let frame = 0;
    const waitMs = follows ? Math.max(0, last.atMs + FOLLOW_MS - performance.now()) : 0;
    const timer = setTimeout(() => (frame = requestAnimationFrame(fit)), waitMs);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [positions, size, width, height, shown, isLarge, fitView, getViewport, isTouched]);
  return null;
}
