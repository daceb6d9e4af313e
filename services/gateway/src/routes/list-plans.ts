import { listPlans } from "@planwright/api";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";

/** `GET /v1/plans`: lists and searches plans, newest first. */
export function listPlansRoute(app: App, { book }: { readonly book: Pick<PlanBook, "list"> }): void {
  serve(app, listPlans, async ({ tenant, query }, reply) =>
    reply.header("cache-control", "no-store").send(book.list({ ...query, tenant })),
  );
}
