/**
 * One WebSocket for everything that a client watches. It reconnects, and resumes after the last received event.
 *
 * Invariants:
 *   LIVE-1. A listener receives each event of its plan at most once, in the order of `seq`.
 *   LIVE-2. Events that cannot be delivered one by one are announced as `onBehind`: the listener reads the plan.
 *   LIVE-3. A viewer receives the changes to its view without a gap, or the whole view.
 *   LIVE-4. The socket is open only while something is watched or submitted, and for a short time afterwards.
 */
import type { Accepted, ClientMessageInput, SubmissionInput, ServerMessage } from "@planwright/api";
import { ConnectionError, ProblemError, RequestTimeoutError } from "../errors.ts";
import type { Settings, WebSocketLike } from "../options.ts";
import { protocolsFor } from "./messages.ts";
import { type ConnectionState, createReconnectingSocket, type SocketDeps } from "./reconnecting-socket.ts";
import { createListWatch, type ListListener } from "./list-watch.ts";
import {
  createWatches,
  type EventListener,
  type ViewListener,
  type WatchRequest,
  type Watches,
} from "./watches.ts";

export type Live = {
  /** False where there is no WebSocket: see the option `WebSocket`. */
  readonly isAvailable: boolean;
  /** The state of the connection for display: `subscribe` calls back when it changes, and returns the unsubscribe function. */
  readonly connection: {
    readonly get: () => ConnectionState;
    readonly subscribe: (listener: () => void) => () => void;
  };
  /**
   * Listens to the events of a plan.
   *
   * @param after - The number of the last event already known; undefined for any event from now on.
   * @returns A function that stops listening.
   */
  readonly watch: (planId: string, after: number | undefined, listener: EventListener) => () => void;
  /**
   * Listens to changes to the view of a plan; `plans.watch` turns them into snapshots.
   *
   * @param after - The `seq` of the known view.
   * @returns A function that stops listening.
   */
  readonly watchView: (planId: string, after: number, viewer: ViewListener) => () => void;
  /**
   * Listens to changes to the list of plans, for all plans that the caller can see.
   *
   * @returns A function that stops listening.
   */
  readonly watchPlans: (listener: ListListener) => () => void;
  /**
   * Submits over the WebSocket. A listener receives every event of the plan until `stop`.
   *
   * @param options.timeoutMs - Until the submission is accepted; the client's time-out by default.
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
  /** Replaces the connection, which may have ended unnoticed, for example while the machine slept. */
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

/** Submissions that are waiting for a response. */
const SUBMISSIONS_MAX = 10_000;
const RETRY_MS_MIN = 5_000;

/** Requests over the WebSocket that are waiting for a response: watches and submissions. */
type LiveSubmission = {
  readonly body: SubmissionInput;
  readonly idempotencyKey: string;
  readonly listener: EventListener | undefined;
  readonly timeoutMs: number;
};

type Pending = LiveSubmission & {
  readonly accept: (accepted: Accepted) => void;
  readonly fail: (error: Error) => void;
};

type Refusal = Extract<ServerMessage, { readonly type: "error" }>;

type Requests = {
  readonly submit: (submission: LiveSubmission) => Promise<Accepted>;
  /** Remembers the id of a sent watch, in case it is refused. */
  readonly watched: (id: string, planId: string) => void;
  readonly receive: (message: ServerMessage) => void;
  /** After reconnecting, sends requests without a response again, with the same Idempotency-Key. */
  readonly resume: () => void;
  readonly isEmpty: () => boolean;
  readonly fail: (error: Error) => void;
};

type RequestsDeps = {
  readonly watches: Pick<Watches, "adopt" | "refuse" | "again">;
  readonly sendSubmission: (id: string, submission: LiveSubmission) => void;
  readonly wait: (delayMs: number, callback: () => void) => () => void;
};

function createRequests({ watches, sendSubmission, wait }: RequestsDeps): Requests {
  /** Plans by the id of the watch request. */
  let watched = new Map<string, string>();
  const pending = new Map<string, Pending>();
  let submissions = 0;
  const sendAgain = (id: string): void => {
    const submission = pending.get(id);
    if (submission !== undefined) sendSubmission(id, submission);
  };
  const refuseWatch = (planId: string, refusal: Refusal): void => {
    if (refusal.retryAfterSeconds === undefined) return watches.refuse(planId, problemOf(refusal));
    const asked = watched;
    wait(Math.max(RETRY_MS_MIN, refusal.retryAfterSeconds * 1_000), () => {
      if (asked === watched) watches.again(planId);
    });
  };
  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        if (pending.size >= SUBMISSIONS_MAX) {
          throw new ConnectionError(
            `${SUBMISSIONS_MAX} submissions have no response yet: wait for some of them`,
          );
        }
        submissions += 1;
        const id = `s${submissions}`;
        const { timeoutMs } = submission;
        const over = wait(timeoutMs, () => {
          pending.delete(id);
          reject(
            new RequestTimeoutError(`the submission was not answered within ${timeoutMs} ms`, timeoutMs),
          );
        });
        const settle = (): void => {
          over();
          pending.delete(id);
        };
        const accept = (accepted: Accepted): void => (settle(), resolve(accepted));
        const fail = (error: Error): void => (settle(), reject(error));
        pending.set(id, { ...submission, accept, fail });
        sendAgain(id);
      }),
    watched: (id, planId) => void watched.set(id, planId),
    receive: (message) => {
      if (message.type === "accepted") {
        const submission = pending.get(String(message.id));
        if (submission === undefined) return;
        // Before the next message is read, which can be the plan's first event.
        if (submission.listener !== undefined) watches.adopt(message.planId, submission.listener);
        submission.accept({ planId: message.planId, traceId: message.traceId });
      } else if (message.type === "ok" || message.type === "error") {
        const id = String(message.id ?? "");
        const planId = watched.get(id);
        watched.delete(id);
        if (message.type === "ok") return;
        if (planId !== undefined) refuseWatch(planId, message);
        else pending.get(id)?.fail(problemOf(message));
      }
    },
    resume: () => {
      watched = new Map();
      for (const id of Array.from(pending.keys())) sendAgain(id);
    },
    isEmpty: () => pending.size === 0,
    fail: (error) => {
      for (const submission of Array.from(pending.values())) submission.fail(error);
    },
  };
}

function problemOf({ code, message, issues, retryAfterSeconds }: Refusal): ProblemError {
  return new ProblemError({ code, status: 0, title: message, detail: message, issues, retryAfterSeconds });
}
