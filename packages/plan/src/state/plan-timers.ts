import { approvalTimer, isPending } from "./approval-transitions.ts";
import type { Due } from "./due.ts";
import type { KnownPlan } from "./plan-state.ts";

/** Every timer that a plan waits for. */
export function timersOf(plan: KnownPlan): Due[] {
  const due: Due[] = [];
  for (const [timer, { at }] of plan.timers) due.push({ kind: "timer", timer, at });
  for (const approval of plan.approvals.values()) {
    const timer = approvalTimer(approval.approvalId);
    if (isPending(plan, approval)) due.push({ kind: "timer", timer, at: approval.expiresAt });
  }
  if (plan.budget?.deadline !== undefined) due.push({ kind: "timer", ...plan.budget.deadline });
  if (plan.watch !== undefined) due.push({ kind: "timer", ...plan.watch });
  return due;
}
