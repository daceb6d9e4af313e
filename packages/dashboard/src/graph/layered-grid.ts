/** A layout in linear time, for graphs that are too large for a good one, and for long chains. */
import type { LayoutRequest, Position } from "./layout-types.ts";
import { layersOf } from "./topology.ts";

/** A layer with more nodes is wrapped into several lines. */
const LINE_NODES_MAX = 24;
/** Shorter graphs are no chains, however thin. */
const CHAIN_LAYERS_MIN = 7;
const CHAIN_NODES_PER_LAYER_MAX = 1.5;
/** Width-to-height ratio of the area that shows the graph. */
const ASPECT = 2;
/** Space between the rows of a wrapped chain, in gaps: the edge back to the next row needs room. */
const ROW_GAPS = 3;

/** Whether the graph is so long and thin that it would be unreadable in one line. */
export function isChain({ ids, edges }: Pick<LayoutRequest, "ids" | "edges">): boolean {
  const layers = new Set(layersOf({ ids, edges }).values()).size;
  return layers >= CHAIN_LAYERS_MIN && ids.length <= layers * CHAIN_NODES_PER_LAYER_MAX;
}

/** Places the layers one after another. Layers that run from left to right wrap into rows, like text. */
export function layeredGrid({ ids, edges, direction, size }: LayoutRequest): Map<string, Position> {
  const lines = linesOf({ ids, edges });
  const positions = new Map<string, Position>();
  if (direction === "TB") {
    lines.forEach((line, index) => {
      const y = index * (size.height + size.gapAlong);
      line.forEach((id, beside) => positions.set(id, { x: beside * (size.width + size.gapAcross), y }));
    });
    return positions;
  }
  const across = size.height + size.gapAcross;
  const perRow = columnsFor(ids.length, lines.length, size.height / size.width);
  let top = 0;
  for (let start = 0; start < lines.length; start += perRow) {
    const row = lines.slice(start, start + perRow);
    row.forEach((line, column) => {
      const x = column * (size.width + size.gapAlong);
      line.forEach((id, beside) => positions.set(id, { x, y: top + beside * across }));
    });
    const longest = Math.max(...row.map((line) => line.length));
    top += longest * across + (ROW_GAPS - 1) * size.gapAcross;
  }
  return positions;
}

/** The layers in their order, the large ones in several lines. */
function linesOf({ ids, edges }: Pick<LayoutRequest, "ids" | "edges">): string[][] {
  const layers = layersOf({ ids, edges });
  const byLayer = Map.groupBy(ids, (id) => layers.get(id) ?? 0);
  return [...byLayer.keys()]
    .sort((left, right) => left - right)
    .flatMap((layer) => {
      const members = byLayer.get(layer) ?? [];
      const count = Math.ceil(members.length / LINE_NODES_MAX);
      return Array.from({ length: count }, (_, line) =>
        members.slice(line * LINE_NODES_MAX, (line + 1) * LINE_NODES_MAX),
      );
    });
}

/** As many columns as make the whole about as wide as its place, when every row is as high as its lines. */
function columnsFor(nodes: number, lines: number, nodeShape: number): number {
  const nodesPerLine = Math.max(1, nodes / lines);
  return Math.max(4, Math.ceil(Math.sqrt(lines * nodesPerLine * nodeShape * ASPECT)));
}
