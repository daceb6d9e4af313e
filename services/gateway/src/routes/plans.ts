import {
  countPlans,
  getContinuity,
  getMetrics,
  getPlan,
  listApprovals,
  listPlans,
  type PlanCounts,
} from "@planwright/api";
import { continuityOf, type KnownPlan, viewOf } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { viewWithSubPlans } from "../plans/view-with-sub-plans.ts";
import { waitForPlan } from "../plans/wait-for-plan.ts";

/** How long counts are cached, for all clients. */
const FRESH_MS = 1_000;
const KEPT_MAX = 200;

type PlanDeps = {
  readonly book: PlanBook;
  readonly now: () => Date;
  /** Aborts when waiting requests have to be answered. */
  readonly stopping: AbortSignal;
};

/** Reads plans: lists and counts of many, and the view of one. */
export function planRoutes(app: App, deps: PlanDeps): void {
  const { book, now } = deps;
  // Newest first, including those just submitted through this gateway.
  serve(app, listPlans, async ({ tenant, query }, reply) => {
    await book.listed();
    return reply.header("cache-control", "no-store").send(book.list({ ...query, tenant }));
  });

  countRoute(app, book);

  serve(app, getMetrics, async ({ tenant, query }, reply) => {
    const { from: fromMs, to: toMs = now().getTime(), ...rest } = query;
    const kpis = await book.kpis({ ...rest, tenant, fromMs, toMs });
    return reply.header("cache-control", "no-store").send(kpis);
  });

  // The pending approvals of all plans.
  serve(app, listApprovals, async ({ tenant, query: { limit } }, reply) =>
    reply.header("cache-control", "no-store").send(book.pendingApprovals({ tenant, limit })),
  );

  viewRoute(app, deps);

  // A plan's facts and progress, as a page.
  serve(app, getContinuity, async ({ tenant, params: { planId } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    return reply
      .type("text/markdown; charset=utf-8")
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff")
      .send(continuityOf(plan));
  });
}

/** `GET /v1/plans/counts`: the number of plans in each of several views. */
function countRoute(app: App, book: PlanBook): void {
  const kept = new Map<string, { readonly counts: PlanCounts["counts"]; readonly atMs: number }>();
  serve(app, countPlans, async ({ tenant, query: { of } }, reply) => {
    const key = JSON.stringify([tenant, of]);
    let found = kept.get(key);
    if (found === undefined || performance.now() - found.atMs > FRESH_MS) {
      found = { counts: book.count(tenant, of), atMs: performance.now() };
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(key, found);
    }
    return reply.header("cache-control", "no-store").send({ counts: found.counts });
  });
}

/** `GET /v1/plans/:planId`: the whole view of a plan, now, at its end or at an earlier event. */
function viewRoute(app: App, { book, now, stopping }: PlanDeps): void {
  serve(app, getPlan, async ({ tenant, keyEnded, params: { planId }, query: { seq, wait } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    void reply.header("cache-control", "no-store");
    if (seq !== undefined) return await viewAt(book, plan, seq);
    if (wait === 0) return await viewWithSubPlans(book, plan, now().getTime());
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, stopping, ...(keyEnded === undefined ? [] : [keyEnded])]);
    const timeoutMs = wait * 1_000;
    const waited = await waitForPlan({ book, tenant, planId, timeoutMs, untilEnd: true, signal });
    keyEnded?.throwIfAborted();
    return await viewWithSubPlans(book, waited, now().getTime());
  });
}

async function viewAt(book: PlanBook, plan: KnownPlan, seq: number) {
  const then = seq <= plan.seq ? await book.at(plan.planId, seq) : undefined;
  if (then === undefined)
    throw new Problem("invalid_request", `seq: the plan has ${plan.seq} events so far, not ${seq}`);
  // The remaining time is estimated for that moment, from the step durations known today.
  return viewOf(then, Date.parse(then.updatedAt), book.knownTimes(then.goal.tenant));
}
