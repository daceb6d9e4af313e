import type { LayoutMessage, LayoutReply, LayoutRequest, Position } from "./layout-types.ts";

type Pending = PromiseWithResolvers<Map<string, Position>>;

const pending = new Map<number, Pending>();
let requests = 0;
let worker: Worker | undefined;

/**
 * Lays a graph out with dagre, in the page's one layout worker.
 *
 * @throws {Error} When the worker cannot be started or fails; the next call starts another.
 */
export function layoutInWorker(request: LayoutRequest): Promise<Map<string, Position>> {
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
