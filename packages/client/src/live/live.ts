/**
 * One WebSocket for all that a client watches. It reconnects, and resumes after the last event that was seen.
 *
 * Invariants:
 *   LIVE-1. A listener hears each event of its plan at most once, in the order of `seq`.
 *   LIVE-2. Events that cannot be delivered one by one are announced as `onBehind`: the listener reads the plan.
 *   LIVE-3. A viewer receives the changes of its view without a gap, or the whole view.
 *   LIVE-4. The socket is open only while something is watched or submitted, and for a short time after that.
 */
import type { Accepted, ClientMessageInput, SubmissionInput } from "@planwright/api";
import { ConnectionError } from "../errors.ts";
import type { Settings, WebSocketLike } from "../options.ts";
import { protocolsFor } from "./messages.ts";
import { type ConnectionState, createReconnectingSocket, type SocketDeps } from "./reconnecting-socket.ts";
import { createListWatch, type ListListener } from "./list-watch.ts";
import { createRequests } from "./requests.ts";
import { createWatches, type EventListener, type ViewListener, type WatchRequest } from "./watches.ts";

export type Live = {
  /** False where there is no WebSocket: see the option `WebSocket`. */
  readonly isAvailable: boolean;
  /** The state of the connection for display: `subscribe` calls back when it changes, and returns the unsubscribe function. */
  readonly connection: {
    readonly get: () => ConnectionState;
    readonly subscribe: (listener: () => void) => () => void;
  };
  /**
   * Hears of the events of a plan.
   *
   * @param after - The number of the last event already known; undefined for any event from now on.
   * @returns The way to stop.
   */
  readonly watch: (planId: string, after: number | undefined, listener: EventListener) => () => void;
  /**
   * Hears how the view of a plan changes; `plans.watch` makes snapshots of it.
   *
   * @param after - The `seq` of the view that is known.
   * @returns The way to stop.
   */
  readonly watchView: (planId: string, after: number, viewer: ViewListener) => () => void;
  /**
   * Hears how the list of plans changes, of all plans that the caller may see.
   *
   * @returns The way to stop.
   */
  readonly watchPlans: (listener: ListListener) => () => void;
  /**
   * Submits over the WebSocket. With a listener, it hears of every event of the plan until `stop`.
   *
   * @param options.timeoutMs - Until it is accepted; the client's by default.
   */
  readonly submit: (
    submission: SubmissionInput,
    options?: {
      readonly listener?: EventListener | undefined;
      readonly idempotencyKey?: string | undefined;
      readonly timeoutMs?: number | undefined;
    },
  ) => Promise<Accepted & { readonly stop: () => void }>;
  /** Connects immediately instead of waiting: the network is back, or the page is visible again. */
  readonly wake: () => void;
  /** Replaces the connection: it may have ended unnoticed, as after a sleep of the machine. */
  readonly renew: () => void;
  /** Closes the connection; a later watch opens another one. */
  readonly close: () => void;
};

type LiveDeps = Pick<SocketDeps, "wait" | "random">;

const REAL: LiveDeps = {
  wait: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

export function createLive(settings: Settings, deps: LiveDeps = REAL): Live {
  let sent = 0;
  const tell = (message: ClientMessageInput): void => socket.send(JSON.stringify(message));
  const ask = (request: WatchRequest | { readonly type: "watch-plans" | "unwatch-plans" }): string => {
    sent += 1;
    const id = `w${sent}`;
    if (request.type === "watch") requests.watched(id, request.planId);
    tell({ id, ...request });
    socket.rest();
    return id;
  };
  const watches = createWatches((request) => void ask(request));
  const list = createListWatch((type) => ask({ type }));
  const requests = createRequests({
    watches,
    wait: deps.wait,
    sendSubmission: (id, { body, idempotencyKey, listener }) =>
      tell({ id, type: "submit", body, idempotencyKey, watch: listener !== undefined }),
  });
  const socket = createReconnectingSocket({
    ...deps,
    open: () => openSocket(settings),
    isNeeded: () => !watches.isEmpty() || !list.isEmpty() || !requests.isEmpty(),
    onOpen: () => {
      requests.resume();
      watches.resume();
      list.resume();
    },
    onMessage: (message) => {
      requests.receive(message);
      watches.receive(message);
      list.receive(message);
    },
  });
  return {
    get isAvailable() {
      return settings.WebSocket() !== undefined;
    },
    connection: socket.state,
    watch: (planId, after, listener) => {
      watches.join(planId, after, listener);
      socket.need();
      return () => watches.leave(planId, listener);
    },
    watchView: (planId, after, viewer) => {
      watches.joinView(planId, after, viewer);
      socket.need();
      return () => watches.leaveView(planId, viewer);
    },
    watchPlans: (listener) => {
      list.join(listener);
      socket.need();
      return () => list.leave(listener);
    },
    submit: async (body, { listener, idempotencyKey, timeoutMs = settings.timeoutMs } = {}) => {
      const key = idempotencyKey ?? crypto.randomUUID();
      // First: it throws where there is no WebSocket.
      socket.need();
      const submission = { body, listener, timeoutMs, idempotencyKey: key };
      const { planId, traceId } = await requests.submit(submission);
      return { planId, traceId, stop: () => listener && watches.leave(planId, listener) };
    },
    wake: socket.wake,
    renew: socket.renew,
    close: () => {
      requests.fail(new ConnectionError("the connection was closed by its owner"));
      socket.close();
    },
  };
}

function openSocket({ baseUrl, key, WebSocket: find }: Settings): WebSocketLike {
  const WebSocket = find();
  if (WebSocket === undefined) throw new ConnectionError(NO_WEBSOCKET);
  return new WebSocket(`${baseUrl.replace(/^http/, "ws")}/v1/ws`, protocolsFor(key()));
}

const NO_WEBSOCKET =
  "this runtime has no WebSocket: use Node 22 or newer, or pass the one of the package ws as the option WebSocket";
