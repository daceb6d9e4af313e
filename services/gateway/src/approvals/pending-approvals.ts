/** The pending approvals of all plans of a tenant. */
import type { PendingApproval, PendingApprovals } from "@planwright/api";
import { approvalViews, type KnownPlan, type PlanId } from "@planwright/plan";

/** A tenant's plans that need approval, each once. */
export function plansThatWait(open: Iterable<KnownPlan>, tenant: string): PlanId[] {
  const waiting: PlanId[] = [];
  for (const plan of open) {
    if (plan.goal.tenant === tenant && needsApproval(plan)) waiting.push(plan.planId);
  }
  return waiting;
}

/** Returns whether the plan has a pending approval. */
export function needsApproval(plan: KnownPlan): boolean {
  return plan.approvals.size > 0 && approvalViews(plan).some(({ status }) => status === "pending");
}

/** @param limit - The maximum number of approvals to return. */
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
