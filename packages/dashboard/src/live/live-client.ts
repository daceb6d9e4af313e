/**
 * One WebSocket for the whole page: watches plans, and goes on after the last seen fact when the
 * connection comes back.
 *
 * Invariants:
 *   L1. A listener hears each fact of its plan at most once, in the order of `seq`.
 *   L2. What cannot be delivered one by one is announced as `behind`: the listener reads the plan anew.
 *   L3. A viewer is told how its view changes, step after step without a gap, or is given the whole view.
 */
import { createStore, type Store } from "../ui/create-store.ts";
import { backoffMs } from "./backoff.ts";
import { parseLiveMessage } from "./live-messages.ts";
import { createRefusedWatches } from "./refused-watches.ts";
import { createWatches, type PlanListener, type ViewListener } from "./watches.ts";

export type Connection = "idle" | "connecting" | "open" | "reconnecting";

/** The part of a WebSocket that is used. */
export type Socket = {
  send(data: string): void;
  close(): void;
  addEventListener(type: "open" | "close", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
};

export type LiveClientDeps = {
  readonly open: () => Socket;
  /** Calls back after a time in milliseconds, unless the returned function is called before. */
  readonly wait: (delayMs: number, callback: () => void) => () => void;
  readonly random: () => number;
};

export type LiveClient = {
  readonly connection: Store<Connection>;
  /**
   * @param after - The last fact already known; the watch goes on from there. Undefined: from any fact on.
   * @returns The way to stop.
   */
  readonly watch: (planId: string, after: number | undefined, listener: PlanListener) => () => void;
  /**
   * @param after - The last fact that the viewer's view takes in.
   * @returns The way to stop.
   */
  readonly watchView: (planId: string, after: number, viewer: ViewListener) => () => void;
  /** Connects at once instead of waiting: the network is back, or the page is visible again. */
  readonly wake: () => void;
  /** Gives the connection up for a new one: nobody knows whether it is still there, as after a sleep. */
  readonly renew: () => void;
};

export function createLiveClient({ open, wait, random }: LiveClientDeps): LiveClient {
  const connection = createStore<Connection>("idle");
  let socket: Socket | undefined;
  let failures = 0;
  let requests = 0;
  let cancelRetry: (() => void) | undefined;
  const watches = createWatches((request) => {
    if (connection.get() !== "open") return;
    requests += 1;
    const id = `w${requests}`;
    if (request.type === "watch") refused.ask(id, request.planId);
    socket?.send(JSON.stringify({ id, ...request }));
  });
  const refused = createRefusedWatches({ wait, again: watches.again });
  const connect = (): void => {
    cancelRetry = undefined;
    const opened = open();
    socket = opened;
    connection.set(failures === 0 ? "connecting" : "reconnecting");
    opened.addEventListener("open", () => {
      if (socket !== opened) return;
      failures = 0;
      refused.clear();
      connection.set("open");
      watches.resume();
    });
    opened.addEventListener("message", ({ data }) => {
      const message = parseLiveMessage(data);
      if (message === undefined || socket !== opened) return;
      refused.receive(message);
      watches.receive(message);
    });
    opened.addEventListener("close", () => {
      if (socket === opened) lose();
    });
  };
  const lose = (): void => {
    socket = undefined;
    if (watches.isEmpty()) return connection.set("idle");
    failures += 1;
    connection.set("reconnecting");
    cancelRetry = wait(backoffMs(failures, random), connect);
  };
  const isApart = (): boolean => socket === undefined && cancelRetry === undefined;
  const wake = (): void => {
    if (cancelRetry === undefined) return;
    cancelRetry();
    connect();
  };
  return {
    connection,
    watch: (planId, after, listener) => {
      watches.join(planId, after, listener);
      if (isApart()) connect();
      return () => watches.leave(planId, listener);
    },
    watchView: (planId, after, viewer) => {
      watches.joinView(planId, after, viewer);
      if (isApart()) connect();
      return () => watches.leaveView(planId, viewer);
    },
    wake,
    renew: () => {
      const old = socket;
      // Its end may be noticed minutes later, if the other side is not there to agree.
      if (old !== undefined) lose();
      old?.close();
      wake();
    },
  };
}
