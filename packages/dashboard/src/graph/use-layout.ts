/** Positions of a graph's nodes: from the cache, from the worker, or from the fast grid for large graphs. */
import { useEffect, useState } from "react";
import { NODES_MAX } from "./group-steps.ts";
import { isChain, layeredGrid } from "./layered-grid.ts";
import type {
  Direction,
  LayoutMessage,
  LayoutReply,
  LayoutRequest,
  NodeSize,
  Position,
} from "./layout-types.ts";
import { newestOnly } from "./newest-only.ts";
import type { Topology } from "./topology.ts";

const pending = new Map<number, Pending>();
let requests = 0;
let worker: Worker | undefined;

export type Positions = ReadonlyMap<string, Position>;

/** Topologies of the last plans looked at, so that going back to one lays nothing out. */
const CACHE_SIZE = 30;
/** A first layout that takes longer, on a busy machine, is preceded by a plain one. */
const PATIENCE_MS = 200;
const cache = new Map<string, Positions>();

/**
 * Undefined until the first layout is there; while a changed topology is laid out, the one before stays.
 *
 * A change of statuses is no change of topology, and costs nothing here.
 */
export function useLayout(topology: Topology, direction: Direction, size: NodeSize): Positions | undefined {
  const key = `${direction}|${topology.key}`;
  const [latest, setLatest] = useState<Positions>();
  // While a plan is drafted, each step is another topology: only the newest is worth the worker's time.
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
    // The key stands for the topology and the direction; the size is a constant.
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
 * Lays a graph out with dagre, in the page's one layout worker.
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
