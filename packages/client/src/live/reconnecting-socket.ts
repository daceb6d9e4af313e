/** A WebSocket that reconnects when it is lost, for as long as it is needed. */
import type { ServerMessage } from "@planwright/api";
import { backoffMs } from "../http/timing.ts";
import type { WebSocketLike } from "../options.ts";
import { parseMessage } from "./messages.ts";

export type ConnectionState = "idle" | "connecting" | "open" | "reconnecting";

/** How long an unused socket stays open in a page; elsewhere an open socket would keep the process from ending. */
const LINGER_MS = 30_000;

export type SocketDeps = {
  readonly open: () => WebSocketLike;
  /** Whether there is anything to send or to receive. */
  readonly isNeeded: () => boolean;
  readonly onOpen: () => void;
  readonly onMessage: (message: ServerMessage) => void;
  /** Calls back after a time in milliseconds, unless the returned function is called before. */
  readonly wait: (delayMs: number, callback: () => void) => () => void;
  readonly random: () => number;
};

export function createReconnectingSocket({ open, isNeeded, onOpen, onMessage, wait, random }: SocketDeps) {
  const state = createState();
  let socket: WebSocketLike | undefined;
  let failures = 0;
  const retry = createTimer(wait);
  const linger = createTimer(wait);

  const connect = (): void => {
    const opened = open();
    socket = opened;
    state.set(failures === 0 ? "connecting" : "reconnecting");
    listen(opened, {
      open: () => {
        if (socket !== opened) return;
        failures = 0;
        state.set("open");
        onOpen();
      },
      message: (message) => {
        if (socket !== opened) return;
        onMessage(message);
        rest();
      },
      close: () => socket === opened && lose(),
    });
  };
  const lose = (): void => {
    socket = undefined;
    if (!isNeeded()) return state.set("idle");
    failures += 1;
    state.set("reconnecting");
    retry.start(backoffMs(failures, random()), connect);
  };
  const wake = (): void => {
    if (retry.cancel()) connect();
  };
  const close = (): void => {
    linger.cancel();
    retry.cancel();
    const old = socket;
    socket = undefined;
    failures = 0;
    state.set("idle");
    old?.close(1000, "done");
  };
  const rest = (): void => {
    const isApart = socket === undefined && !retry.isStarted();
    if (isNeeded() || isApart || linger.isStarted()) return;
    linger.start("document" in globalThis ? LINGER_MS : 0, () => {
      if (!isNeeded()) close();
    });
  };
  return {
    state,
    /** Drops messages that are sent while the socket is not open. */
    send: (text: string): void => void (state.get() === "open" && socket?.send(text)),
    /** Connects, unless it has. */
    need: (): void => {
      linger.cancel();
      if (socket === undefined && !retry.isStarted()) connect();
    },
    /** Closes the socket soon if it is no longer needed. */
    rest,
    wake,
    renew: (): void => {
      const old = socket;
      // Its end may be noticed minutes later, if the other side cannot confirm it.
      if (old !== undefined) lose();
      old?.close();
      wake();
    },
    close,
  };
}

type Heard = {
  readonly open: () => void;
  readonly message: (message: ServerMessage) => void;
  readonly close: () => unknown;
};

function listen(socket: WebSocketLike, { open, message, close }: Heard): void {
  socket.addEventListener("open", open);
  socket.addEventListener("message", ({ data }) => {
    const parsed = parseMessage(data);
    if (parsed !== undefined) message(parsed);
  });
  // The close that follows contains everything; without a listener some WebSockets throw.
  socket.addEventListener("error", () => undefined);
  socket.addEventListener("close", close);
}

function createTimer(wait: SocketDeps["wait"]) {
  let stop: (() => void) | undefined;
  return {
    isStarted: (): boolean => stop !== undefined,
    start: (delayMs: number, callback: () => void): void => {
      stop = wait(delayMs, () => {
        stop = undefined;
        callback();
      });
    },
    /** Whether it was started. */
    cancel: (): boolean => {
      const wasStarted = stop !== undefined;
      stop?.();
      stop = undefined;
      return wasStarted;
    },
  };
}

function createState() {
  let current: ConnectionState = "idle";
  const listeners = new Set<() => void>();
  return {
    get: (): ConnectionState => current,
    set: (next: ConnectionState): void => {
      if (next === current) return;
      current = next;
      for (const listener of Array.from(listeners)) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
