import { type KnownPlan, PlanId } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";

/**
 * The plan with that id, if it belongs to the tenant: the existence of other tenants' plans is never revealed.
 *
 * @throws {Problem} `plan_not_found`
 */
export async function ownPlan(
  book: Pick<PlanBook, "find">,
  { tenant, planId }: { readonly tenant: string; readonly planId: string },
): Promise<KnownPlan> {
  const id = PlanId.safeParse(planId);
  const plan = id.success ? await book.find(id.data) : undefined;
  if (plan?.goal.tenant === tenant) return plan;
  throw planNotFound(planId);
}

/** The refusal for a missing plan and for another tenant's plan: both read the same. */
export function planNotFound(planId: string): Problem {
  return new Problem("plan_not_found", `there is no plan ${JSON.stringify(planId.slice(0, 80))}`);
}
