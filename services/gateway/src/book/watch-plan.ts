import { isEnded, type Plan, type PlanId } from "@planwright/plan";
import type { DeletedPlans } from "./deleted-plans.ts";
import { factsFrom, type HotPlans } from "./hot-plans.ts";
import type { LogCursor, LogReader } from "./log-reader.ts";
import type { NumberedEvent } from "./numbered-event.ts";
import type { Watchers } from "./watchers.ts";

/** Events handed over together; the watcher sets the pace between portions. */
const PORTION = 256;

export type WatchDeps = {
  readonly hot: HotPlans;
  readonly log: LogReader;
  readonly watchers: Watchers;
  readonly deleted: Pick<DeletedPlans, "has">;
};

/**
 * Yields a plan's events after `after`: the stored ones, then new ones as they arrive, in order, without gaps or repeats.
 *
 * Pull-based: nothing is kept for a watcher that has not asked for more, and one that has fallen behind the events in memory
 * reads the log. Ends after `plan.ended`, or immediately when the plan has ended and `after` covers it, or is deleted.
 *
 * @throws {Problem} `too_many_watchers`, `overloaded`
 * @throws The signal's reason when it aborts.
 */
export async function* watchPlan(
  { hot, log, watchers, deleted }: WatchDeps,
  { planId, after, signal }: { planId: PlanId; after: number; signal: AbortSignal },
): AsyncGenerator<readonly NumberedEvent[]> {
  using watcher = watchers.add(planId, signal);
  let next = after + 1;
  let cursor: LogCursor | undefined;
  for (;;) {
    // Resets before reading, so that a change during the read wakes this watcher.
    watcher.reset();
    signal.throwIfAborted();
    if (deleted.has(planId)) return;
    const kept = hot.get(planId);
    const inMemory = kept === undefined ? undefined : factsFrom(kept, next, PORTION);
    cursor = inMemory === undefined ? (cursor ?? log.open(planId)) : undefined;
    const facts = cursor === undefined ? inMemory : await cursor.next(signal);
    const news = facts?.filter(({ seq }) => seq >= next) ?? [];
    const last = news.at(-1);
    if (last !== undefined) {
      yield news;
      next = last.seq + 1;
      if (last.isLast) return;
      continue;
    }
    // The log has more events, although the piece just read contained no new ones.
    if (cursor !== undefined && facts !== undefined) continue;
    if (cursor?.isDeleted === true || hasEnded(kept?.plan ?? cursor?.plan)) return;
    await watcher.changed();
  }
}

function hasEnded(plan: Plan | undefined): boolean {
  return plan !== undefined && plan.status !== "absent" && isEnded(plan);
}
