import { awaitsUndoing } from "./step/compensations.ts";
import { awaitsFacts } from "./knowledge.ts";
import { isEnded, type KnownPlan, type PlanStatus } from "./plan-state.ts";
import { openGate } from "./approval/open-gate.ts";

/** Returns what a plan is doing, in one word. */
export function statusOf(plan: KnownPlan): PlanStatus {
  const { conclusion, drafting, joining } = plan;
  if (conclusion !== undefined && isEnded(plan)) return conclusion.outcome;
  if (plan.pause !== undefined) return "paused";
  if (plan.startsAt !== undefined) return "scheduled";
  if (awaitsUndoing(plan)) return "compensating";
  if (conclusion?.outcome === "cancelled") return "cancelled";
  if (plan.budget?.asking !== undefined && drafting.phase !== "open" && plan.inFlight + plan.judging === 0) {
    return conclusion === undefined ? "awaiting-approval" : "running";
  }
  if (drafting.phase !== "sealed") return "planning";
  const isJudged = conclusion !== undefined && joining.phase === "done";
  const isWeighed = joining.phase === "requested" || plan.critique?.of === "answer";
  if (isWeighed || isJudged || isUpToProcessor(plan)) return "reflecting";
  return isUpToPeople(plan) ? "awaiting-approval" : "running";
}

/** Whether everything has run, and outputs are still being processed for facts. */
function isUpToProcessor(plan: KnownPlan): boolean {
  return plan.total === plan.done && plan.conclusion === undefined && awaitsFacts(plan);
}

/** Whether the plan makes no progress until a user decides. */
function isUpToPeople(plan: KnownPlan): boolean {
  const { awaiting, inFlight, judging, timers, conclusion } = plan;
  const isAsked = awaiting > 0 || openGate(plan) !== undefined;
  return isAsked && inFlight + judging === 0 && timers.size === 0 && conclusion === undefined;
}
