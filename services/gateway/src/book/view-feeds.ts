/**
 * The views of plans that clients watch, sent as changes from one view to the next.
 *
 * A view is made once for all watchers of a plan with the same redaction: changes lead from one redacted view to the next. Making
 * views takes a bounded share of the gateway's time, however many plans are watched: plans that change simultaneously divide it
 * evenly. Nothing is made or kept for a plan that no client watches this way.
 */
import type { KnownPlan, PlanId, PlanView } from "@planwright/plan";
import { type Redactor, VIEWS } from "@planwright/shared/redaction";
import { changesBetween } from "@planwright/plan/json-changes";

/** The minimum time between two views of a plan; no screen shows updates faster than this. */
const PACE_MS = 25;
/** Making views takes at most 1/SHARE of the time. */
const SHARE = 5;
/** A plan for which no view was made for this long has no part in the share. */
const AT_REST_MS = 1_000;
/** A reader that misses more than these gets the whole view. */
const NEWS_KEPT_MAX = 16;
/** Above this many changes, the whole view is the shorter message. */
const CHANGES_MAX = 5_000;

/** Serialized as JSON, ready to send. */
export type ViewNews =
  | { readonly kind: "changes"; readonly after: number; readonly seq: number; readonly json: string }
  | { readonly kind: "view"; readonly seq: number; readonly json: string };

type ViewFeed = Disposable & {
  /**
   * The changes from the view after event `seq` to the newest one; empty when that is the newest.
   *
   * @param plan - The current plan.
   */
  since(seq: number, plan: KnownPlan): Promise<readonly ViewNews[]>;
  /** How long to wait before the next view may be made, in milliseconds; 0 when it may be made now. */
  readonly waitMs: number;
};

export type ViewFeeds = {
  /** @param redactor - Hides values from the reader; readers with the same redactor share their views. */
  join(planId: PlanId, redactor: Redactor): ViewFeed;
  /** The number of watched plans, counted once per redactor. */
  readonly count: number;
};

type ViewFeedsDeps = {
  readonly viewOf: (plan: KnownPlan) => Promise<PlanView>;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Milliseconds of CPU time used by this thread, so that a busy machine does not make a view count as more expensive. */
  readonly spent: () => number;
};

export function createViewFeeds(deps: ViewFeedsDeps): ViewFeeds {
  const feeds = new Map<string, { readonly feed: SharedFeed; readers: number }>();
  const audiences = new Map<Redactor, number>();
  const countAtWork = (nowMs: number): number => {
    let atWork = 0;
    for (const { feed } of feeds.values()) if (feed.madeAt > nowMs - AT_REST_MS) atWork += 1;
    return atWork;
  };
  return {
    join(planId, redactor) {
      const audience = audiences.get(redactor) ?? audiences.size;
      audiences.set(redactor, audience);
      const key = `${audience} ${planId}`;
      const viewOf = async (plan: KnownPlan) => redactor.json(await deps.viewOf(plan), VIEWS);
      const shared = feeds.get(key) ?? { feed: createFeed({ ...deps, viewOf }, countAtWork), readers: 0 };
      feeds.set(key, shared);
      shared.readers += 1;
      let left = false;
      return {
        since: shared.feed.since,
        get waitMs() {
          return shared.feed.waitMs;
        },
        [Symbol.dispose]() {
          if (left) return;
          left = true;
          shared.readers -= 1;
          if (shared.readers === 0) feeds.delete(key);
        },
      };
    },
    get count() {
      return feeds.size;
    },
  };
}

type SharedFeed = Omit<ViewFeed, typeof Symbol.dispose> & {
  /** When it started to make its newest view. */
  readonly madeAt: number;
};

/** @param countAtWork - The number of feeds, including this one, that have made a view recently. */
function createFeed(
  { viewOf, clock, spent }: ViewFeedsDeps,
  countAtWork: (nowMs: number) => number,
): SharedFeed {
  let view: PlanView | undefined;
  let whole: ViewNews | undefined;
  let news: Extract<ViewNews, { kind: "changes" }>[] = [];
  let madeAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;
  let making: Promise<PlanView> | undefined;

  const make = async (plan: KnownPlan): Promise<PlanView> => {
    madeAt = clock();
    const spentBefore = spent();
    const before = view;
    const made = await viewOf(plan);
    const { seq } = made;
    const changes = before === undefined ? undefined : changesBetween(before, made, CHANGES_MAX);
    if (before === undefined || changes === undefined) news = [];
    else {
      const step = { kind: "changes" as const, after: before.seq, seq, json: JSON.stringify(changes) };
      news = [...news, step].slice(-NEWS_KEPT_MAX);
    }
    view = made;
    whole = undefined;
    nextAt = madeAt + Math.max(PACE_MS, SHARE * countAtWork(madeAt) * (spent() - spentBefore));
    return made;
  };
  const newest = (plan: KnownPlan): Promise<PlanView> | PlanView => {
    if (making !== undefined) return making;
    if (view !== undefined && (view.seq >= plan.seq || clock() < nextAt)) return view;
    making = make(plan).finally(() => {
      making = undefined;
    });
    return making;
  };
  return {
    async since(seq, plan) {
      const latest = await newest(plan);
      if (latest.seq === seq) return [];
      const first = news.findIndex(({ after }) => after === seq);
      if (first !== -1) return news.slice(first);
      whole ??= { kind: "view", seq: latest.seq, json: JSON.stringify(latest) };
      return [whole];
    },
    get madeAt() {
      return madeAt;
    },
    get waitMs() {
      return Math.max(0, nextAt - clock());
    },
  };
}
