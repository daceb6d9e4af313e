import { ApprovalView } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { DecideApproval } from "../approvals/decide-approval.ts";
import { DecisionBody } from "../approvals/decision-body.ts";
import { PendingApprovals } from "../approvals/pending-approvals.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";
import { PlanPath } from "./get-plan.ts";

const ApprovalPath = PlanPath.extend({ approvalId: z.string().min(1).max(128) });

const Query = z.object({
  limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(100),
});

/** `GET /v1/approvals`: what waits for a person, whichever plan it is of. */
export function pendingApprovalsRoute(
  app: FastifyInstance,
  { book }: { readonly book: Pick<PlanBook, "pendingApprovals"> },
): void {
  const schema = {
    summary: "What waits for a person, of all plans",
    tags: ["plans"],
    querystring: Query,
    response: { 200: PendingApprovals },
  };
  app.get("/v1/approvals", { schema }, async (request, reply) => {
    const { limit } = parsePart(Query, request.query, "query");
    const pending = book.pendingApprovals({ tenant: request.tenant, limit });
    return reply.header("cache-control", "no-store").send(pending);
  });
}

/** `POST /v1/plans/:planId/approvals/:approvalId`: what a person decides; the first decision counts. */
export function approvalRoute(app: FastifyInstance, { decide }: { readonly decide: DecideApproval }): void {
  const schema = {
    summary: "Decide an approval",
    description:
      "A plan's view lists its approvals with the exact arguments and what may be decided. A second decision is refused.",
    tags: ["plans"],
    params: ApprovalPath,
    body: DecisionBody,
    response: { 200: ApprovalView },
  };
  app.post("/v1/plans/:planId/approvals/:approvalId", { schema }, async (request) => {
    const { planId, approvalId } = parsePart(ApprovalPath, request.params, "path");
    const body = parsePart(DecisionBody, request.body, "body");
    return decide({ tenant: request.tenant, planId, approvalId, body });
  });
}
