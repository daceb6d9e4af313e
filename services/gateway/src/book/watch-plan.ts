import { isEnded, type Plan, type PlanId } from "@planwright/plan";
import type { DeletedPlans } from "./deleted-plans.ts";
import { factsFrom, type HotPlans } from "./hot-plans.ts";
import type { LogCursor, LogReader } from "./log-reader.ts";
import type { NumberedEvent } from "./numbered-event.ts";
import type { Watchers } from "./watchers.ts";

/** Events handed over together; between two portions the watcher's own pace counts. */
const PORTION = 256;

export type WatchDeps = {
  readonly hot: HotPlans;
  readonly log: LogReader;
  readonly watchers: Watchers;
  readonly deleted: Pick<DeletedPlans, "has">;
};

/**
 * A plan's facts after `after`, in order, each once and none left out: those that are there, then those that come.
 *
 * It pulls: nothing is kept for a watcher who does not ask for more, and one who has fallen behind what memory
 * holds reads the log. Ends after `plan.ended`, or immediately when the plan has ended and `after` covers it, or is deleted.
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
    // Before looking: a change that comes while we look must wake us.
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
    // The log has more, though nothing of what was just read is new.
    if (cursor !== undefined && facts !== undefined) continue;
    if (cursor?.isDeleted === true || hasEnded(kept?.plan ?? cursor?.plan)) return;
    await watcher.changed();
  }
}

function hasEnded(plan: Plan | undefined): boolean {
  return plan !== undefined && plan.status !== "absent" && isEnded(plan);
}
