/** A layout in linear time for graphs that are too large for a good one: layers side by side, wrapped. */
import type { LayoutRequest, Position } from "./layout-types.ts";
import { layersOf } from "./topology.ts";

/** A layer with more nodes is wrapped into several lines, so that the whole stays near a square. */
const LINE_NODES_MAX = 24;

export function layeredGrid({ ids, edges, direction, size }: LayoutRequest): Map<string, Position> {
  const layers = layersOf({ ids, edges });
  const byLayer = Map.groupBy(ids, (id) => layers.get(id) ?? 0);
  const step = direction === "LR" ? size.width + size.gapAlong : size.height + size.gapAlong;
  const across = direction === "LR" ? size.height + size.gapAcross : size.width + size.gapAcross;
  const positions = new Map<string, Position>();
  let line = 0;
  for (const layer of [...byLayer.keys()].sort((left, right) => left - right)) {
    const members = byLayer.get(layer) ?? [];
    members.forEach((id, index) => {
      const along = (line + Math.floor(index / LINE_NODES_MAX)) * step;
      const beside = (index % LINE_NODES_MAX) * across;
      positions.set(id, direction === "LR" ? { x: along, y: beside } : { x: beside, y: along });
    });
    line += Math.ceil(members.length / LINE_NODES_MAX);
  }
  return positions;
}
