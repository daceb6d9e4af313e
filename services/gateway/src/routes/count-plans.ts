import { countPlans, type PlanCounts } from "@planwright/api";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";

/** Counts stay good for so long, for every client. */
const FRESH_MS = 1_000;
const KEPT_MAX = 200;

export type CountPlansDeps = {
  readonly book: Pick<PlanBook, "count">;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
};

/** `GET /v1/plans/counts`: how many plans there are in each of some views. */
export function countPlansRoute(app: App, { book, nowMs }: CountPlansDeps): void {
  const kept = new Map<string, { readonly counts: PlanCounts["counts"]; readonly atMs: number }>();
  serve(app, countPlans, async ({ tenant, query: { of } }, reply) => {
    const key = JSON.stringify([tenant, of]);
    let found = kept.get(key);
    if (found === undefined || nowMs() - found.atMs > FRESH_MS) {
      found = { counts: book.count(tenant, of), atMs: nowMs() };
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(key, found);
    }
    return reply.header("cache-control", "no-store").send({ counts: found.counts });
  });
}
