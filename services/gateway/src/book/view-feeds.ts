/**
 * The views of plans that somebody looks at, told as changes of one view to the next.
 *
 * A view is made once for all who watch its plan, and not more often than a share of the gateway's time allows.
 * Nothing is made, and nothing is kept, of a plan that nobody watches in this way.
 */
import type { KnownPlan, PlanId, PlanView } from "@planwright/plan";
import { changesBetween } from "@planwright/plan/json-changes";

/** The least time from one view of a plan to the next: more often, no screen shows it. */
const PACE_MS = 25;
/** Making a view takes at most one part in so many of the time. */
const SHARE = 5;
/** A reader who misses more than these gets the whole view. */
const NEWS_KEPT_MAX = 16;
/** Of more, the whole view is the shorter message. */
const CHANGES_MAX = 5_000;

/** JSON, as it is sent. */
export type ViewNews =
  | { readonly kind: "changes"; readonly after: number; readonly seq: number; readonly json: string }
  | { readonly kind: "view"; readonly seq: number; readonly json: string };

export type ViewFeed = Disposable & {
  /**
   * What leads a reader from the view after fact `seq` to the newest one; empty when that is the newest.
   *
   * @param plan - As it is now.
   */
  since(seq: number, plan: KnownPlan): Promise<readonly ViewNews[]>;
  /** How long to wait before the next view may be made, in milliseconds; 0: no longer. */
  readonly waitMs: number;
};

export type ViewFeeds = {
  join(planId: PlanId): ViewFeed;
  /** Plans that are watched. */
  readonly count: number;
};

export type ViewFeedsDeps = {
  readonly viewOf: (plan: KnownPlan) => Promise<PlanView>;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
  /** Milliseconds of processor time that this thread has used: on a busy machine a view is no dearer than on a quiet one. */
  readonly spent: () => number;
};

export function createViewFeeds(deps: ViewFeedsDeps): ViewFeeds {
  const feeds = new Map<PlanId, { readonly feed: SharedFeed; readers: number }>();
  return {
    join(planId) {
      const shared = feeds.get(planId) ?? { feed: createFeed(deps), readers: 0 };
      feeds.set(planId, shared);
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
          if (shared.readers === 0) feeds.delete(planId);
        },
      };
    },
    get count() {
      return feeds.size;
    },
  };
}

type SharedFeed = Omit<ViewFeed, typeof Symbol.dispose>;

function createFeed({ viewOf, clock, spent }: ViewFeedsDeps): SharedFeed {
  let view: PlanView | undefined;
  let whole: ViewNews | undefined;
  let news: Extract<ViewNews, { kind: "changes" }>[] = [];
  let nextAt = Number.NEGATIVE_INFINITY;
  let making: Promise<PlanView> | undefined;

  const make = async (plan: KnownPlan): Promise<PlanView> => {
    const startedAt = clock();
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
    nextAt = startedAt + Math.max(PACE_MS, SHARE * (spent() - spentBefore));
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
    get waitMs() {
      return Math.max(0, nextAt - clock());
    },
  };
}
