/** The plans that one socket watches. */
import { type PlanId, viewOf } from "@planwright/plan";
import { type Redactor, VIEWS } from "@planwright/shared/redaction";
import type { PlanBook } from "../book/plan-book.ts";
import type { ViewNews } from "../book/view-feeds.ts";
import { Problem } from "../http/problem.ts";
import { shownEvent, type ShownEvent } from "../redaction/redact-events.ts";
import { ownPlan } from "../plans/own-plan.ts";
import type { Outbox } from "./outbox.ts";

export const WATCHES_OF_A_SOCKET_MAX = 1_000;
/** A reader that falls further behind gets the current plan instead of every event. */
const BEHIND_MAX = 5_000;

export type WatchRequest = {
  readonly planId: string;
  readonly after: number;
  readonly as: "events" | "view";
  /** Called before any other message is sent. */
  readonly onAccepted: () => void;
};

type SocketWatches = Disposable & {
  /**
   * Starts to watch, ending an earlier watch of the same plan. Settles when the watch is over.
   *
   * @throws {Problem} `plan_not_found`, `too_many_watchers`, `overloaded`
   */
  watch(request: WatchRequest): Promise<void>;
  unwatch(planId: string): void;
  /** Starts to watch the tenant's list of plans, unless it already does. Settles when the watch is over. */
  watchPlans(): Promise<void>;
  unwatchPlans(): void;
  readonly count: number;
};

export type SocketWatchesDeps = {
  readonly book: Pick<PlanBook, "find" | "peek" | "watch" | "watchView" | "watchList" | "refuseWatcherAbove">;
  readonly outbox: Outbox;
  /** Redacts by the role of the socket's key or user. */
  readonly redactor: Redactor;
  readonly tenant: string;
  readonly now: () => Date;
};

export function createSocketWatches(deps: SocketWatchesDeps): SocketWatches {
  const watches = new Map<string, AbortController>();
  let list: AbortController | undefined;
  let isClosed = false;
  return {
    async watch({ planId, after, as, onAccepted }) {
      if (isClosed) return;
      const replaced = watches.get(planId);
      replaced?.abort();
      if (replaced === undefined && watches.size >= WATCHES_OF_A_SOCKET_MAX) {
        throw new Problem("too_many_watchers", `a connection may watch max ${WATCHES_OF_A_SOCKET_MAX} plans`);
      }
      const ended = new AbortController();
      watches.set(planId, ended);
      const { signal } = ended;
      try {
        const plan = await ownPlan(deps.book, { tenant: deps.tenant, planId });
        if (signal.aborted) return;
        deps.book.refuseWatcherAbove(plan.planId);
        onAccepted();
        const watching = { planId: plan.planId, after, known: plan.seq, signal };
        await (as === "view" ? sendViews(deps, watching) : sendFacts(deps, watching));
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (watches.get(planId) === ended) watches.delete(planId);
      }
    },
    unwatch(planId) {
      watches.get(planId)?.abort();
      watches.delete(planId);
    },
    async watchPlans() {
      if (isClosed || list !== undefined) return;
      list = new AbortController();
      const { signal } = list;
      try {
        await sendList(deps, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    unwatchPlans() {
      list?.abort();
      list = undefined;
    },
    get count() {
      return watches.size;
    },
    [Symbol.dispose]() {
      isClosed = true;
      list?.abort();
      for (const ended of watches.values()) ended.abort();
      watches.clear();
    },
  };
}

type Watching = {
  readonly planId: PlanId;
  readonly after: number;
  /** The last event when the watch began: the reader has requested every event up to it. */
  readonly known: number;
  readonly signal: AbortSignal;
};

async function sendFacts(deps: SocketWatchesDeps, { planId, after, known, signal }: Watching): Promise<void> {
  let from = after;
  for (;;) {
    const resumed = await sendUntilBehind(deps, { planId, after: from, known, signal });
    if (resumed === undefined) return;
    from = resumed;
  }
}

/** Returns the number of the event up to which a snapshot was sent, or undefined when the watch is over. */
async function sendUntilBehind(deps: SocketWatchesDeps, watching: Watching): Promise<number | undefined> {
  const { book, outbox, redactor, now } = deps;
  const { planId, after, known, signal } = watching;
  for await (const facts of book.watch({ planId, after, signal })) {
    for (const fact of facts) {
      for (let room = outbox.ready(); room !== undefined; room = outbox.ready()) await room;
      if (signal.aborted) return undefined;
      const plan = book.peek(planId);
      if (plan !== undefined && fact.seq > known && plan.seq - fact.seq > BEHIND_MAX) {
        const view = redactor.json(viewOf(plan, now().getTime()), VIEWS);
        outbox.send(JSON.stringify({ type: "resync", planId, plan: view }));
        return plan.seq;
      }
      outbox.send(eventText(planId, shownEvent(fact, redactor)));
    }
  }
  return undefined;
}

async function sendViews(
  { book, outbox, redactor }: SocketWatchesDeps,
  { planId, after, signal }: Watching,
): Promise<void> {
  for await (const news of book.watchView({ planId, after, redactor, signal })) {
    for (let room = outbox.ready(); room !== undefined; room = outbox.ready()) await room;
    if (signal.aborted) return;
    outbox.send(newsText(planId, news));
  }
}

async function sendList(
  { book, outbox, redactor, tenant }: SocketWatchesDeps,
  signal: AbortSignal,
): Promise<void> {
  for await (const news of book.watchList({ tenant, signal })) {
    for (let room = outbox.ready(); room !== undefined; room = outbox.ready()) await room;
    if (signal.aborted) return;
    outbox.send(JSON.stringify(redactor.json({ type: "plans", ...news }, VIEWS)));
  }
}

function newsText(planId: PlanId, news: ViewNews): string {
  if (news.kind === "view") return `{"type":"resync","planId":"${planId}","plan":${news.json}}`;
  const { after, seq, json } = news;
  return `{"type":"changes","planId":"${planId}","after":${after},"seq":${seq},"changes":${json}}`;
}

function eventText(planId: PlanId, { seq, json }: ShownEvent): string {
  return `{"type":"event","planId":"${planId}","seq":${seq},"event":${json}}`;
}
