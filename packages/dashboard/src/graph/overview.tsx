import { ControlButton, type MiniMapNodeProps, MiniMap, useReactFlow } from "@xyflow/react";
import { PLAN_WORDS } from "../plan/plan-words.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOf } from "../ui/status-badge.tsx";
import { PADDING } from "./fit-graph.tsx";
import type { GraphNode } from "./graph-nodes.tsx";
import { groupStatus } from "./group-status.ts";
import { ZOOM_MIN } from "./view-port.ts";

const SIZE = { width: 168, height: 96 };

/** The whole graph in small, with the part that is in view; drag it to look elsewhere. */
export function Overview() {
  return (
    <MiniMap<GraphNode>
      ariaLabel={PLAN_WORDS.minimap}
      position="bottom-left"
      style={SIZE}
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
  return (
    <rect
      className={`react-flow__minimap-node ${className}`}
      x={x}
      y={y}
      width={width}
      height={height}
      rx={8}
    />
  );
}

/** A button that shows where the plan is at work. */
export function FrontierButton({ frontier }: { readonly frontier: readonly string[] }) {
  const { fitView } = useReactFlow();
  const show = () =>
    void fitView({ nodes: frontier.map((id) => ({ id })), padding: PADDING, minZoom: ZOOM_MIN, maxZoom: 1 });
  return (
    <ControlButton title={PLAN_WORDS.frontier} aria-label={PLAN_WORDS.frontier} onClick={show}>
      <Icon name="target" size={14} />
    </ControlButton>
  );
}
