/** The scale of a graph, and the size of its area. */
import type { Direction, NodeSize, Position } from "./layout-types.ts";
import { layersOf, type Topology } from "./topology.ts";

/** Below this width, plans run from top to bottom. */
const NARROW_PX = 620;

const SIZES: Readonly<Record<Direction, NodeSize>> = {
  LR: { width: 236, height: 92, gapAlong: 56, gapAcross: 18 },
  TB: { width: 184, height: 92, gapAlong: 40, gapAcross: 14 },
};

/** At a smaller scale nothing is readable: the reader pans the graph instead. */
export const ZOOM_MIN = 0.55;
/** The minimum scale for the reader, and for the overview of a large graph. */
export const OVERVIEW_ZOOM_MIN = 0.05;
/** At a smaller scale no text in a node is legible. */
export const FAR_ZOOM = 0.25;
const HEIGHT_PX_MIN = 220;
const HEIGHT_PX_MAX = 600;
const MARGIN_PX = 36;
/** Space below the graph, so that its buttons hide no step. */
export const CONTROLS_PX = 48;

export function directionFor(widthPx: number): Direction {
  return widthPx < NARROW_PX ? "TB" : "LR";
}

export function nodeSize(direction: Direction): NodeSize {
  return SIZES[direction];
}

/** The line below the graph, and the one above it with the search for steps. */
const LEGEND_PX = 35;
const SEARCH_PX = 56;

/**
 * The estimated height of a graph whose layout is not ready, so that nothing below it moves later: as if the nodes of
 * each layer were packed closely.
 */
export function heightBefore(topology: Topology, widthPx: number): number {
  const direction = directionFor(widthPx);
  const size = nodeSize(direction);
  const layers = Map.groupBy(layersOf(topology).values(), (layer) => layer);
  const along = layers.size - 1;
  const across = Math.max(0, ...layers.values().map((layer) => layer.length)) - 1;
  if (across < 0) return HEIGHT_PX_MIN;
  const last =
    direction === "LR"
      ? { x: along * (size.width + size.gapAlong), y: across * (size.height + size.gapAcross) }
      : { x: across * (size.width + size.gapAcross), y: along * (size.height + size.gapAlong) };
  return heightFor([last], size, widthPx);
}

/** The same, including what is above and below the graph. */
export function tabHeightBefore(topology: Topology, widthPx: number, isSearched: boolean): number {
  return heightBefore(topology, widthPx) + LEGEND_PX + (isSearched ? SEARCH_PX : 0);
}

/** The graph's height at the scale at which it fits the width, within limits. */
export function heightFor(positions: Iterable<Position>, size: NodeSize, widthPx: number): number {
  let right = 0;
  let bottom = 0;
  for (const { x, y } of positions) {
    right = Math.max(right, x + size.width);
    bottom = Math.max(bottom, y + size.height);
  }
  if (right === 0) return HEIGHT_PX_MIN;
  const zoom = Math.min(1, Math.max(ZOOM_MIN, (widthPx - 2 * MARGIN_PX) / right));
  return Math.min(
    HEIGHT_PX_MAX,
    Math.max(HEIGHT_PX_MIN, Math.round(bottom * zoom) + MARGIN_PX + CONTROLS_PX),
  );
}

type View = {
  readonly width: number;
  readonly height: number;
  /** The position of the graph's origin in its area, in pixels, and its scale. */
  readonly viewport: Position & { readonly zoom: number };
};

/** Whether all of a node is in view, and large enough to read. */
export function isInView(position: Position, size: NodeSize, { width, height, viewport }: View): boolean {
  const { x, y, zoom } = viewport;
  const left = x + position.x * zoom;
  const top = y + position.y * zoom;
  const fits = left + size.width * zoom <= width && top + size.height * zoom <= height;
  return zoom >= ZOOM_MIN && left >= 0 && top >= 0 && fits;
}

/** If the nodes fill less of the area than this, zooming in would make them easier to read. */
const FILLED_MIN = 1 / 3;

/** Whether all of these nodes are readable where they are: none out of view, and none much smaller than necessary. */
export function areWellInView(positions: readonly Position[], size: NodeSize, view: View): boolean {
  if (!positions.every((position) => isInView(position, size, view))) return false;
  const { zoom } = view.viewport;
  const spans = (axis: "x" | "y", length: number): number => {
    const places = positions.map((position) => position[axis]);
    return (Math.max(...places) - Math.min(...places) + length) * zoom;
  };
  const isFilled =
    spans("x", size.width) >= view.width * FILLED_MIN || spans("y", size.height) >= view.height * FILLED_MIN;
  return zoom >= 1 || isFilled;
}
