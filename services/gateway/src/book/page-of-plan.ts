import type { PlanId } from "@planwright/plan";
import { factsFrom } from "./hot-plans.ts";
import type { LogCursor } from "./log-reader.ts";
import type { NumberedEvent } from "./numbered-event.ts";
import type { WatchDeps } from "./watch-plan.ts";

const PAGE_CHARS_MAX = 8 * 1024 * 1024;

export type FactsPage = {
  readonly facts: readonly NumberedEvent[];
  /** Whether the plan currently has events beyond this page. */
  readonly more: boolean;
};

/** The current events after `after`: up to `limit`, or fewer when they are large. */
export async function pageOfPlan(
  { hot, log }: Pick<WatchDeps, "hot" | "log">,
  { planId, after, limit }: { planId: PlanId; after: number; limit: number },
): Promise<FactsPage> {
  const kept = hot.get(planId);
  const inMemory = kept === undefined ? undefined : factsFrom(kept, after + 1, limit + 1);
  const found = inMemory ?? (await readFrom(log.open(planId), after, limit + 1));
  const facts: NumberedEvent[] = [];
  let chars = 0;
  for (const fact of found.slice(0, limit)) {
    chars += fact.json.length;
    if (chars > PAGE_CHARS_MAX && facts.length > 0) break;
    facts.push(fact);
  }
  return { facts, more: facts.length < found.length };
}

async function readFrom(cursor: LogCursor, after: number, count: number): Promise<readonly NumberedEvent[]> {
  const found: NumberedEvent[] = [];
  while (found.length < count) {
    const read = await cursor.next();
    if (read === undefined) break;
    found.push(...read.filter(({ seq }) => seq > after));
    if (cursor.isAtEnd) break;
  }
  return found.slice(0, count);
}
