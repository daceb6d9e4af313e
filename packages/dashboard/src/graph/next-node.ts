/** Where the arrow keys lead in a graph. */
import type { Direction, Position } from "./layout-types.ts";
import { layersOf, type Topology } from "./topology.ts";

type Move = "dependent" | "dependency" | "before" | "after" | "first" | "last";

/** The arrows follow the plan's direction: to the right, and on narrow screens down. */
const MOVES: Readonly<Record<Direction, Readonly<Record<string, Move>>>> = {
  LR: { ArrowRight: "dependent", ArrowLeft: "dependency", ArrowUp: "before", ArrowDown: "after" },
  TB: { ArrowDown: "dependent", ArrowUp: "dependency", ArrowLeft: "before", ArrowRight: "after" },
};
const EVERYWHERE: Readonly<Record<string, Move>> = { Home: "first", End: "last" };

type Laid = {
  readonly topology: Pick<Topology, "ids" | "edges">;
  /** Only drawn nodes; no key leads to others. */
  readonly positions: ReadonlyMap<string, Position>;
  readonly direction: Direction;
};

/**
 * The node that a key leads to: along the edges, the nearest dependent or dependency; across them, the next node in the
 * same layer; with Home and End, the plan's first and last.
 *
 * @param key - As in `KeyboardEvent.key`.
 * @returns Undefined for other keys, and if there is no such node.
 */
export function nextNode(key: string, from: string, graph: Laid): string | undefined {
  const { positions, direction } = graph;
  const drawn = graph.topology.ids.filter((id) => positions.has(id));
  const edges = graph.topology.edges.filter((edge) => positions.has(edge.from) && positions.has(edge.to));
  switch (MOVES[direction][key] ?? EVERYWHERE[key]) {
    case "first":
      return drawn[0];
    case "last":
      return drawn.at(-1);
    case "dependent":
      return nearest(
        edges.filter((edge) => edge.from === from).map(({ to }) => to),
        from,
        graph,
      );
    case "dependency":
      return nearest(
        edges.filter((edge) => edge.to === from).map((edge) => edge.from),
        from,
        graph,
      );
    case "before":
      return beside(from, -1, { ...graph, topology: { ids: drawn, edges } });
    case "after":
      return beside(from, 1, { ...graph, topology: { ids: drawn, edges } });
    case undefined:
      return undefined;
  }
}

/** The node with the smallest sideways distance; of two, the plan's first. */
function nearest(ids: readonly string[], from: string, { positions, direction }: Laid): string | undefined {
  const aside = (id: string) =>
    Math.abs(acrossOf(positions.get(id), direction) - acrossOf(positions.get(from), direction));
  return ids.toSorted((left, right) => aside(left) - aside(right))[0];
}

function beside(from: string, by: 1 | -1, { topology, positions, direction }: Laid): string | undefined {
  const layers = layersOf(topology);
  const layer = topology.ids
    .filter((id) => layers.get(id) === layers.get(from))
    .toSorted((left, right) => {
      const [one, other] = [positions.get(left), positions.get(right)];
      return (
        alongOf(one, direction) - alongOf(other, direction) ||
        acrossOf(one, direction) - acrossOf(other, direction)
      );
    });
  const at = layer.indexOf(from);
  return at < 0 ? undefined : layer[at + by];
}

function acrossOf(position: Position | undefined, direction: Direction): number {
  return (direction === "LR" ? position?.y : position?.x) ?? 0;
}

function alongOf(position: Position | undefined, direction: Direction): number {
  return (direction === "LR" ? position?.x : position?.y) ?? 0;
}

/** The number of dependencies and dependents of each node. */
export function tiesOf({ ids, edges }: Pick<Topology, "ids" | "edges">): ReadonlyMap<string, Ties> {
  const ties = new Map(ids.map((id) => [id, { needs: new Set<string>(), neededBy: new Set<string>() }]));
  for (const { from, to } of edges) {
    ties.get(to)?.needs.add(from);
    ties.get(from)?.neededBy.add(to);
  }
  return new Map(
    [...ties].map(([id, { needs, neededBy }]) => [id, { needs: needs.size, neededBy: neededBy.size }]),
  );
}

export type Ties = { readonly needs: number; readonly neededBy: number };
