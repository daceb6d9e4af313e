import { listPlans } from "@planwright/api";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";

/** `GET /v1/plans`: lists and searches plans, newest first; with those that were submitted here before. */
export function listPlansRoute(
  app: App,
  { book }: { readonly book: Pick<PlanBook, "list" | "listed"> },
): void {
  serve(app, listPlans, async ({ tenant, query }, reply) => {
    await book.listed();
    return reply.header("cache-control", "no-store").send(book.list({ ...query, tenant }));
  });
}
