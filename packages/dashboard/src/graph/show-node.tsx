import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";
import type { NodeSize } from "./layout-types.ts";
import type { Target } from "./use-graph-focus.ts";
import type { Positions } from "./use-layout.ts";
import { CONTROLS_PX, isInView, ZOOM_MIN } from "./view-port.ts";

const MOVE_MS = 180;

type Props = {
  readonly target: Target | undefined;
  readonly positions: Positions | undefined;
  readonly size: NodeSize;
};

/** Brings a node into view, large enough to be read, and again when the graph's place has changed. */
export function ShowNode({ target, positions, size }: Props) {
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
