/** Which plans are watched, from which fact on, and who listens. */
import type { NumberedEvent } from "../api/api-types.ts";
import type { LiveMessage } from "./live-messages.ts";

export type PlanListener = {
  readonly onEvent: (event: NumberedEvent) => void;
  /** Facts may have been missed. */
  readonly onBehind: () => void;
};

type Watch = { after: number | undefined; readonly listeners: Set<PlanListener> };

/** Tells the gateway of a watch that begins (`after`: the last fact known) or ends. */
export type Say = (type: "watch" | "unwatch", planId: string, after?: number) => void;

export type Watches = {
  readonly join: (planId: string, after: number | undefined, listener: PlanListener) => void;
  readonly leave: (planId: string, listener: PlanListener) => void;
  readonly receive: (message: LiveMessage) => void;
  /** Says every watch again, each from its last fact on: the connection is a new one. */
  readonly resume: () => void;
  readonly isEmpty: () => boolean;
};

export function createWatches(say: Say): Watches {
  const watches = new Map<string, Watch>();
  return {
    join: (planId, after, listener) => {
      const known = watches.get(planId);
      if (known === undefined) {
        watches.set(planId, { after, listeners: new Set([listener]) });
        return say("watch", planId, after);
      }
      known.listeners.add(listener);
      if (after === undefined) return;
      if (known.after === undefined) {
        // Where the running watch began is not known: it begins anew where this listener stands.
        known.after = after;
        say("watch", planId, after);
      } else if (known.after > after) listener.onBehind();
    },
    leave: (planId, listener) => {
      const watch = watches.get(planId);
      if (watch === undefined || !watch.listeners.delete(listener) || watch.listeners.size > 0) return;
      watches.delete(planId);
      say("unwatch", planId);
    },
    receive: (message) => {
      if (message.type !== "event" && message.type !== "resync") return;
      const watch = watches.get(message.planId);
      const seq = message.type === "event" ? message.seq : message.plan.seq;
      if (watch === undefined || seq <= (watch.after ?? 0)) return;
      watch.after = seq;
      for (const listener of watch.listeners) {
        if (message.type === "event") listener.onEvent({ seq, event: message.event });
        else listener.onBehind();
      }
    },
    resume: () => {
      for (const [planId, { after }] of watches) say("watch", planId, after);
    },
    isEmpty: () => watches.size === 0,
  };
}
