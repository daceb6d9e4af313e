/** What of all the plans of a tenant waits for a person. */
import { ApprovalView, approvalViews, type KnownPlan, PlanId } from "@planwright/plan";
import { z } from "zod";

export const PendingApproval = ApprovalView.extend({ planId: PlanId, goal: z.string() });
export type PendingApproval = z.output<typeof PendingApproval>;

export const PendingApprovals = z.object({
  total: z.int().meta({ description: "How many wait, also where fewer are shown." }),
  approvals: z.array(PendingApproval).meta({ description: "Those that have waited longest first." }),
});
export type PendingApprovals = z.output<typeof PendingApprovals>;

/** The plans of a tenant that wait for a person, each once. */
export function plansThatWait(open: Iterable<KnownPlan>, tenant: string): PlanId[] {
  const waiting: PlanId[] = [];
  for (const plan of open) {
    if (plan.goal.tenant !== tenant || plan.approvals.size === 0) continue;
    if (approvalViews(plan).some(({ status }) => status === "pending")) waiting.push(plan.planId);
  }
  return waiting;
}

/** @param limit - How many are returned at most. */
export function pendingApprovals(
  open: Iterable<KnownPlan>,
  { tenant, limit }: { readonly tenant: string; readonly limit: number },
): PendingApprovals {
  const pending: PendingApproval[] = [];
  for (const plan of open) {
    if (plan.goal.tenant !== tenant || plan.approvals.size === 0) continue;
    const { planId } = plan;
    const { goal } = plan.goal;
    for (const view of approvalViews(plan)) {
      if (view.status === "pending") pending.push({ ...view, planId, goal });
    }
  }
  const longest = pending.toSorted((left, right) => left.requestedAt.localeCompare(right.requestedAt));
  return { total: pending.length, approvals: longest.slice(0, limit) };
}
