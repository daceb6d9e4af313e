import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";
import type { Positions } from "./use-layout.ts";
import { CONTROLS_PX, OVERVIEW_ZOOM_MIN, ZOOM_MIN } from "./view-port.ts";

type Props = {
  readonly positions: Positions | undefined;
  /** True once the reader has chosen a part of the graph to look at. */
  readonly isTouched: () => boolean;
};

/** Of more nodes than these, the whole is worth more than what each of them says. */
const READABLE_NODES_MAX = 30;

/** Shows the whole graph after each layout and in each size of its place, until the reader moves it. What
 * would be too small to read is shown in part. */
export function FitGraph({ positions, isTouched }: Props) {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (positions === undefined || width === 0 || isTouched()) return;
    const minZoom = positions.size > READABLE_NODES_MAX ? OVERVIEW_ZOOM_MIN : ZOOM_MIN;
    // After the nodes of this layout have been rendered.
    const padding = { x: 0.06, top: 0.06, bottom: `${CONTROLS_PX}px` } as const;
    const frame = requestAnimationFrame(() => void fitView({ padding, minZoom, maxZoom: 1 }));
    return () => cancelAnimationFrame(frame);
  }, [positions, width, height, fitView, isTouched]);
  return null;
}
