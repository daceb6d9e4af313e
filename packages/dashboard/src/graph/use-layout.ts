/** Positions of a graph's nodes: from the cache, from the worker, or from the fast grid for large graphs. */
import { useEffect, useState } from "react";
import { NODES_MAX } from "./group-steps.ts";
import type {
  Direction,
  LayoutMessage,
  LayoutReply,
  LayoutRequest,
  NodeSize,
  Position,
} from "./layout-types.ts";
import { newestOnly } from "./newest-only.ts";
import { layersOf, type Topology } from "./topology.ts";

/** A layer with more nodes is wrapped into several rows. */
const LINE_NODES_MAX = 24;
/** Shorter graphs are not chains, however thin. */
const CHAIN_LAYERS_MIN = 7;
const CHAIN_NODES_PER_LAYER_MAX = 1.5;
/** Width-to-height ratio of the area that shows the graph. */
const ASPECT = 2;
/** Space between the rows of a wrapped chain, in gaps: the edge back to the next row needs room. */
const ROW_GAPS = 3;

const pending = new Map<number, Pending>();
let requests = 0;
let worker: Worker | undefined;

export type Positions = ReadonlyMap<string, Position>;

/** The layouts of recently shown plans, so that returning to one needs no new layout. */
const CACHE_SIZE = 30;
/** If a first layout takes longer, on a busy machine, a simple one is shown first. */
const PATIENCE_MS = 200;
const cache = new Map<string, Positions>();

/**
 * Undefined until the first layout is ready; while a changed topology is laid out, the previous layout stays.
 *
 * A change of statuses does not change the topology, and costs nothing here.
 */
export function useLayout(topology: Topology, direction: Direction, size: NodeSize): Positions | undefined {
  const key = `${direction}|${topology.key}`;
  const [latest, setLatest] = useState<Positions>();
  // While a plan is drafted, each step changes the topology: only the newest is worth the worker's time.
  const [layOutNewest] = useState(() => newestOnly(layOut));
  const cached = cache.get(key);
  useEffect(() => {
    const known = cache.get(key);
    if (known !== undefined) return setLatest(known);
    const request = { ids: topology.ids, edges: topology.edges, direction, size };
    let wanted = true;
    const patience = setTimeout(() => setLatest((shown) => shown ?? layeredGrid(request)), PATIENCE_MS);
    void layOutNewest(request).then((positions) => {
      if (positions === undefined) return;
      remember(key, positions);
      clearTimeout(patience);
      if (wanted) setLatest(positions);
    });
    return () => {
      wanted = false;
      clearTimeout(patience);
    };
    // The key represents the topology and the direction; the size is a constant.
  }, [key]);
  return cached ?? latest;
}

async function layOut(request: LayoutRequest): Promise<Positions> {
  if (request.ids.length > NODES_MAX || isChain(request)) return layeredGrid(request);
  return layoutInWorker(request).catch(() => layeredGrid(request));
}

function remember(key: string, positions: Positions): void {
  cache.set(key, positions);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}

type Pending = PromiseWithResolvers<Map<string, Position>>;

/**
 * Lays out a graph with dagre, in the page's single layout worker.
 *
 * @throws {Error} When the worker cannot be started or fails; the next call starts another.
 */
function layoutInWorker(request: LayoutRequest): Promise<Map<string, Position>> {
  requests += 1;
  const message: LayoutMessage = { requestId: requests, ...request };
  const answer: Pending = Promise.withResolvers();
  pending.set(message.requestId, answer);
  worker ??= startWorker();
  worker.postMessage(message);
  return answer.promise;
}

function startWorker(): Worker {
  const started = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<LayoutReply>) => {
    pending.get(data.requestId)?.resolve(new Map(data.positions));
    pending.delete(data.requestId);
  });
  started.addEventListener("error", (event) => {
    for (const { reject } of pending.values()) reject(new Error(`layout failed: ${event.message}`));
    pending.clear();
    started.terminate();
    worker = undefined;
  });
  return started;
}

/** Whether the graph is so long and thin that it would be unreadable in one row. */
export function isChain({ ids, edges }: Pick<LayoutRequest, "ids" | "edges">): boolean {
  const layers = new Set(layersOf({ ids, edges }).values()).size;
  return layers >= CHAIN_LAYERS_MIN && ids.length <= layers * CHAIN_NODES_PER_LAYER_MAX;
}

/**
 * Lays out large graphs and long chains in linear time: places the layers one after another. Layers that run from left to
 * right wrap into rows, like text.
 */
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

/** The layers in order, with large ones split into several rows. */
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

/** The number of columns that gives the layout about the area's ratio, if each row is as high as its lines. */
function columnsFor(nodes: number, lines: number, nodeShape: number): number {
  const nodesPerLine = Math.max(1, nodes / lines);
  return Math.max(4, Math.ceil(Math.sqrt(lines * nodesPerLine * nodeShape * ASPECT)));
}
