/** Which plans are watched, from which fact on, and who listens. */
import type { NumberedEvent, PlanView } from "../api/api-types.ts";
import type { LiveMessage, ViewChanges } from "./live-messages.ts";

/** Who wants to hear that something has happened. */
export type PlanListener = {
  readonly onEvent: (event: NumberedEvent) => void;
  /** Facts may have been missed. */
  readonly onBehind: () => void;
};

/** Who wants to show the plan as it is. */
export type ViewListener = {
  /** They lead on from one certain view: whoever has another one reads the plan anew. */
  readonly onChanges: (changes: ViewChanges) => void;
  readonly onView: (view: PlanView) => void;
};

type Watch = {
  after: number | undefined;
  readonly listeners: Set<PlanListener>;
  /** While there are any, the gateway tells of views instead of facts. */
  readonly viewers: Set<ViewListener>;
};

export type WatchRequest = {
  readonly type: "watch" | "unwatch";
  readonly planId: string;
  /** The last fact known. */
  readonly after?: number | undefined;
  readonly as?: "view";
};

/** Tells the gateway of a watch that begins or ends. */
export type Say = (request: WatchRequest) => void;

export type Watches = {
  readonly join: (planId: string, after: number | undefined, listener: PlanListener) => void;
  readonly leave: (planId: string, listener: PlanListener) => void;
  readonly joinView: (planId: string, after: number, viewer: ViewListener) => void;
  readonly leaveView: (planId: string, viewer: ViewListener) => void;
  readonly receive: (message: LiveMessage) => void;
  /** Says a watch again, from its last fact on. */
  readonly again: (planId: string) => void;
  /** Says every watch again: the connection is a new one. */
  readonly resume: () => void;
  readonly isEmpty: () => boolean;
};

export function createWatches(say: Say): Watches {
  const watches = new Map<string, Watch>();
  const open = (planId: string, after: number | undefined): Watch => {
    const watch: Watch = { after, listeners: new Set(), viewers: new Set() };
    watches.set(planId, watch);
    return watch;
  };
  const begin = (planId: string, { after, viewers }: Watch): void =>
    say({ type: "watch", planId, after, ...(viewers.size > 0 && { as: "view" as const }) });
  /** The watch goes on with whom is left. */
  const left = (planId: string, watch: Watch, wasViewer: boolean): void => {
    if (watch.listeners.size + watch.viewers.size === 0) {
      watches.delete(planId);
      say({ type: "unwatch", planId });
    } else if (wasViewer && watch.viewers.size === 0) begin(planId, watch);
  };
  return {
    join: (planId, after, listener) => {
      const known = watches.get(planId);
      if (known === undefined) {
        const watch = open(planId, after);
        watch.listeners.add(listener);
        return begin(planId, watch);
      }
      known.listeners.add(listener);
      if (after === undefined) return;
      if (known.after === undefined) {
        // Where the running watch began is not known: it begins anew where this listener stands.
        known.after = after;
        begin(planId, known);
      } else if (known.after > after) listener.onBehind();
    },
    leave: (planId, listener) => {
      const watch = watches.get(planId);
      if (watch?.listeners.delete(listener) === true) left(planId, watch, false);
    },
    joinView: (planId, after, viewer) => {
      const watch = watches.get(planId) ?? open(planId, after);
      watch.viewers.add(viewer);
      // From where this viewer stands: others who stand elsewhere find that the changes are not for them.
      watch.after = after;
      begin(planId, watch);
    },
    leaveView: (planId, viewer) => {
      const watch = watches.get(planId);
      if (watch?.viewers.delete(viewer) === true) left(planId, watch, true);
    },
    receive: (message) => {
      if (message.type !== "event" && message.type !== "changes" && message.type !== "resync") return;
      const watch = watches.get(message.planId);
      const seq = message.type === "resync" ? message.plan.seq : message.seq;
      if (watch === undefined || seq <= (watch.after ?? 0)) return;
      // A fact that was on its way when the watch became one of views.
      if (message.type === "event" && watch.viewers.size > 0) return;
      watch.after = seq;
      for (const viewer of watch.viewers) {
        if (message.type === "changes") viewer.onChanges(message);
        else if (message.type === "resync") viewer.onView(message.plan);
      }
      for (const listener of watch.listeners) {
        if (message.type === "event") listener.onEvent({ seq, event: message.event });
        else listener.onBehind();
      }
    },
    again: (planId) => {
      const watch = watches.get(planId);
      if (watch !== undefined) begin(planId, watch);
    },
    resume: () => {
      for (const [planId, watch] of watches) begin(planId, watch);
    },
    isEmpty: () => watches.size === 0,
  };
}
