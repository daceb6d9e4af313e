/** Pending approvals, and decisions about them. */
import type { ApprovalView, DecisionBody, PendingApprovals } from "@planwright/api";
import type { Json, JsonObject } from "@planwright/plan";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";

/** Recorded with the decision. */
export type Decided = RequestOptions & {
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
};

export type Approvals = {
  /** Pending approvals of all plans, longest-waiting first. @param options.limit - 1 to 1,000, default 100. */
  list(options?: RequestOptions & { readonly limit?: number | undefined }): Promise<PendingApprovals>;
  /**
   * Decides an approval with one of its `choices`.
   *
   * @throws {ProblemError} `approval_decided` when another user decided first: the first decision counts.
   */
  decide(
    planId: string,
    approvalId: string,
    decision: DecisionBody,
    options?: RequestOptions,
  ): Promise<ApprovalView>;
  /** @param options.edits - The arguments to run with, instead of those shown. */
  approve(
    planId: string,
    approvalId: string,
    options?: Decided & { readonly edits?: JsonObject | undefined },
  ): Promise<ApprovalView>;
  reject(planId: string, approvalId: string, options?: Decided): Promise<ApprovalView>;
  /** Answers a plan's question. */
  answer(planId: string, approvalId: string, answer: Json, options?: Decided): Promise<ApprovalView>;
};

export function approvalsOf(transport: Transport): Approvals {
  const decide: Approvals["decide"] = (planId, approvalId, decision, options) =>
    transport.json("decideApproval", { ...options, params: { planId, approvalId }, body: decision });
  return {
    list: ({ limit, ...options } = {}) =>
      transport.json("listApprovals", {
        ...options,
        query: { limit: limit === undefined ? undefined : String(limit) },
      }),
    decide,
    approve: (planId, approvalId, { edits, by, reason, ...options } = {}) =>
      decide(planId, approvalId, { decision: "approve", edits, by, reason }, options),
    reject: (planId, approvalId, { by, reason, ...options } = {}) =>
      decide(planId, approvalId, { decision: "reject", by, reason }, options),
    answer: (planId, approvalId, answer, { by, reason, ...options } = {}) =>
      decide(planId, approvalId, { decision: "answer", answer, by, reason }, options),
  };
}
