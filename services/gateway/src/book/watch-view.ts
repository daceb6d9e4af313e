import { isEnded, type KnownPlan, type PlanId } from "@planwright/plan";
import type { Redactor } from "@planwright/shared/redaction";
import { setTimeout as delay } from "node:timers/promises";
import type { DeletedPlans } from "./deleted-plans.ts";
import type { ViewFeeds, ViewNews } from "./view-feeds.ts";
import type { Watchers } from "./watchers.ts";

type WatchViewDeps = {
  readonly feeds: ViewFeeds;
  readonly watchers: Watchers;
  /** Looks in memory, the log and the archive. */
  readonly find: (planId: PlanId) => Promise<KnownPlan | undefined>;
  /** The plan if it is in memory. */
  readonly peek: (planId: PlanId) => KnownPlan | undefined;
  readonly deleted: Pick<DeletedPlans, "has">;
};

export type WatchViewOptions = {
  readonly planId: PlanId;
  readonly after: number;
  /** Hides values from the reader. */
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
};

/**
 * Yields the changes from a plan's view after event `after` to its newest one, now and whenever it changes, until the plan has
 * ended or is deleted.
 *
 * Pull-based: a reader that is slow or falls behind gets fewer and larger changes, and eventually the whole view.
 *
 * @throws {Problem} `too_many_watchers`
 * @throws The signal's reason when it aborts.
 */
export async function* watchView(
  { feeds, watchers, find, peek, deleted }: WatchViewDeps,
  { planId, after, redactor, signal }: WatchViewOptions,
): AsyncGenerator<ViewNews> {
  using watcher = watchers.add(planId, signal);
  let plan = await find(planId);
  if (plan === undefined) return;
  using feed = feeds.join(planId, redactor);
  let seq = after;
  for (;;) {
    // Resets before reading, so that a change during the read wakes this watcher.
    watcher.reset();
    signal.throwIfAborted();
    if (deleted.has(planId)) return;
    // Events that have left memory are in the archive.
    plan = peek(planId) ?? (await find(planId)) ?? plan;
    for (const news of await feed.since(seq, plan)) {
      yield news;
      seq = news.seq;
    }
    if (seq >= plan.seq) {
      if (isEnded(plan)) return;
      await watcher.changed();
    }
    if (feed.waitMs > 0) await delay(feed.waitMs, undefined, { signal });
  }
}
