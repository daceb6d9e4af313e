/** Which plans are watched over the WebSocket, from which event, and by which listeners. */
import type { NumberedEvent, PlanView, ServerMessage } from "@planwright/api";
import type { JsonChange } from "@planwright/plan/json-changes";
import type { ProblemError } from "../errors.ts";

/** The gateway refused the watch permanently. */
type Refusable = { readonly onRefused?: ((error: ProblemError) => void) | undefined };

/** Receives each event. */
export type EventListener = Refusable & {
  readonly onEvent: (event: NumberedEvent) => void;
  /** Events may have been missed: read the plan. */
  readonly onBehind: () => void;
};

/** The changes from the view after event `after` to the view after event `seq`. */
export type ViewChanges = {
  readonly after: number;
  readonly seq: number;
  readonly changes: readonly JsonChange[];
};

/** Receives changes to the view. */
export type ViewListener = Refusable & {
  /** They apply only to one specific view; with any other, read the plan. */
  readonly onChanges: (changes: ViewChanges) => void;
  readonly onView: (view: PlanView) => void;
};

type Watch = {
  /** The last event that the listeners know; undefined when they want all events from now on. */
  after: number | undefined;
  readonly listeners: Set<EventListener>;
  /** While there are any, the gateway sends changes of views instead of events. */
  readonly viewers: Set<ViewListener>;
};

export type WatchRequest = {
  readonly type: "watch" | "unwatch";
  readonly planId: string;
  readonly after?: number | undefined;
  readonly as?: "view";
};

export type Watches = {
  readonly join: (planId: string, after: number | undefined, listener: EventListener) => void;
  readonly leave: (planId: string, listener: EventListener) => void;
  readonly joinView: (planId: string, after: number, viewer: ViewListener) => void;
  readonly leaveView: (planId: string, viewer: ViewListener) => void;
  /** Adopts a watch that the gateway started with a submission. */
  readonly adopt: (planId: string, listener: EventListener) => void;
  readonly receive: (message: ServerMessage) => void;
  readonly refuse: (planId: string, error: ProblemError) => void;
  /** Sends a watch again, starting after its last event. */
  readonly again: (planId: string) => void;
  /** Sends every watch again on a new connection. */
  readonly resume: () => void;
  readonly isEmpty: () => boolean;
};

/** @param send - Notifies the gateway when a watch begins or ends. */
export function createWatches(send: (request: WatchRequest) => void): Watches {
  const watches = new Map<string, Watch>();
  const open = (planId: string, after: number | undefined): Watch => {
    const watch: Watch = { after, listeners: new Set(), viewers: new Set() };
    watches.set(planId, watch);
    return watch;
  };
  const begin = (planId: string, { after, viewers }: Watch): void =>
    send({ type: "watch", planId, after, ...(viewers.size > 0 && { as: "view" as const }) });
  /** The watch continues for the remaining listeners. */
  const left = (planId: string, watch: Watch, wasViewer: boolean): void => {
    if (watch.listeners.size + watch.viewers.size === 0) {
      watches.delete(planId);
      send({ type: "unwatch", planId });
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
        // The running watch's start is unknown: restart it at this listener's position.
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
      // Restart at this viewer's view: other viewers notice that the changes do not apply to theirs.
      watch.after = after;
      begin(planId, watch);
    },
    leaveView: (planId, viewer) => {
      const watch = watches.get(planId);
      if (watch?.viewers.delete(viewer) === true) left(planId, watch, true);
    },
    adopt: (planId, listener) => {
      const watch = watches.get(planId) ?? open(planId, 0);
      watch.listeners.add(listener);
    },
    receive: (message) => {
      if (message.type !== "event" && message.type !== "changes" && message.type !== "resync") return;
      const watch = watches.get(message.planId);
      if (watch !== undefined) deliver(watch, message);
    },
    refuse: (planId, error) => {
      const watch = watches.get(planId);
      watches.delete(planId);
      for (const { onRefused } of [...(watch?.listeners ?? []), ...(watch?.viewers ?? [])])
        onRefused?.(error);
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

type News = Extract<ServerMessage, { readonly type: "event" | "changes" | "resync" }>;

function deliver(watch: Watch, message: News): void {
  const seq = message.type === "resync" ? message.plan.seq : message.seq;
  if (seq <= (watch.after ?? 0)) return;
  // An event that was in transit when the watch switched to views.
  if (message.type === "event" && watch.viewers.size > 0) return;
  watch.after = seq;
  // Listeners can leave while they are called.
  for (const viewer of Array.from(watch.viewers)) {
    if (message.type === "changes") viewer.onChanges(message);
    else if (message.type === "resync") viewer.onView(message.plan);
  }
  for (const listener of Array.from(watch.listeners)) {
    if (message.type === "event") listener.onEvent({ seq, event: message.event });
    else listener.onBehind();
  }
}
