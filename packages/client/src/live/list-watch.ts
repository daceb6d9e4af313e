/** The listeners for changes to the list of plans: one watch over the WebSocket for all of them. */
import type { ServerMessage } from "@planwright/api";

/** New and changed plans, and those that left the list. */
export type ListChanges = Omit<Extract<ServerMessage, { readonly type: "plans" }>, "type">;

export type ListListener = {
  readonly onPlans: (changes: ListChanges) => void;
  /** The watch has begun, for the first time or again: a list that was read earlier may be out of date. */
  readonly onBehind: () => void;
};

export type ListWatch = {
  readonly join: (listener: ListListener) => void;
  readonly leave: (listener: ListListener) => void;
  readonly receive: (message: ServerMessage) => void;
  /** Watches again on a new connection. */
  readonly resume: () => void;
  readonly isEmpty: () => boolean;
};

/** @param send - Sends a request; returns its id. */
export function createListWatch(send: (type: "watch-plans" | "unwatch-plans") => string): ListWatch {
  const listeners = new Set<ListListener>();
  let begun: string | undefined;
  const begin = (): void => {
    begun = send("watch-plans");
  };
  return {
    join: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) begin();
    },
    leave: (listener) => {
      if (listeners.delete(listener) && listeners.size === 0) send("unwatch-plans");
    },
    receive: (message) => {
      // Listeners can leave while they are called.
      if (message.type === "plans") for (const { onPlans } of Array.from(listeners)) onPlans(message);
      if (message.type === "ok" && message.id === begun)
        for (const { onBehind } of Array.from(listeners)) onBehind();
    },
    resume: () => {
      if (listeners.size > 0) begin();
    },
    isEmpty: () => listeners.size === 0,
  };
}
