import { decideApproval, listApprovals } from "@planwright/api";
import type { DecideApproval } from "../approvals/decide-approval.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";

/** `GET /v1/approvals`: the pending approvals of all plans. */
export function pendingApprovalsRoute(
  app: App,
  { book }: { readonly book: Pick<PlanBook, "pendingApprovals"> },
): void {
  serve(app, listApprovals, async ({ tenant, query: { limit } }, reply) =>
    reply.header("cache-control", "no-store").send(book.pendingApprovals({ tenant, limit })),
  );
}

/** `POST /v1/plans/:planId/approvals/:approvalId`: a reviewer's decision; the first one counts. */
export function approvalRoute(app: App, { decide }: { readonly decide: DecideApproval }): void {
  serve(app, decideApproval, async ({ tenant, identity, role, params, body }) =>
    decide({ tenant, identity, role, ...params, body }),
  );
}
