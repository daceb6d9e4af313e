import { isEnded, type KnownPlan } from "@planwright/plan";

/** Whether a plan still waits for this draft, or for the rest of it. */
export function isWanted(plan: KnownPlan | undefined, draft: number): plan is KnownPlan {
  if (plan === undefined || isEnded(plan) || plan.conclusion !== undefined) return false;
  const { number, phase } = plan.drafting;
  return number === draft && (phase === "requested" || phase === "open");
}
