/**
 * The views of plans that clients watch, sent as changes of one view to the next.
 *
 * A view is made once for all who watch its plan and from whom the same is hidden: changes lead from one redacted view to the next. Making views takes at most a share of the gateway's time, however
 * many plans are watched: those that change at the same time divide it evenly among themselves.
 * Nothing is made, and nothing is kept, for a plan that no client watches in this way.
 */
import type { KnownPlan, PlanId, PlanView } from "@planwright/plan";
import { type Redactor, VIEWS } from "@planwright/shared/redaction";
import { changesBetween } from "@planwright/plan/json-changes";

/** The least time from one view of a plan to the next: more often, no screen shows it. */
const PACE_MS = 25;
/** Making views takes at most one part in so many of the time. */
const SHARE = 5;
/** A plan of which no view was made for so long has no part in the share. */
const AT_REST_MS = 1_000;
/** A reader who misses more than these gets the whole view. */
const NEWS_KEPT_MAX = 16;
/** Of more, the whole view is the shorter message. */
const CHANGES_MAX = 5_000;

/** JSON, as it is sent. */
export type ViewNews =
  | { readonly kind: "changes"; readonly after: number; readonly seq: number; readonly json: string }
  | { readonly kind: "view"; readonly seq: number; readonly json: string };

type ViewFeed = Disposable & {
  /**
   * The changes from the view after event `seq` to the newest one; empty when that is the newest.
   *
   * @param plan - As it is now.
   */
  since(seq: number, plan: KnownPlan): Promise<readonly ViewNews[]>;
  /** How long to wait before the next view may be made, in milliseconds; 0: no longer. */
  readonly waitMs: number;
};

export type ViewFeeds = {
  /** @param redactor - Hides values from the reader; readers with the same one share their views. */
  join(planId: PlanId, redactor: Redactor): ViewFeed;
  /** Plans that are watched, counted again for each redactor. */
  readonly count: number;
};

type ViewFeedsDeps = {
  readonly viewOf: (plan: KnownPlan) => Promise<PlanView>;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
  /** Milliseconds of processor time that this thread has used: on a busy machine a view is no dearer than on a quiet one. */
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
  /** When it began to make its newest view. */
  readonly madeAt: number;
};

/** @param countAtWork - How many feeds, this one included, have made a view lately. */
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
