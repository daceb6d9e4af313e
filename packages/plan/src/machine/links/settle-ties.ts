import type { NextPlan } from "../plan-state.ts";
import type { StepId } from "../../values/ids.ts";
import { reviseAfterLoss } from "./loss.ts";
import { callStandIn, standInFor } from "./stand-ins.ts";
import { isLost } from "./standing.ts";
import { isSettled } from "../step/step-state.ts";
import { announce } from "../step/step-transitions.ts";
import { primaryOf } from "./ties.ts";
import { heedVerdicts, heedVerifier } from "./verification.ts";

/**
 * Applies the consequences of steps that have ended: the steps that they verify are accepted or refused, their fallbacks
 * run or are skipped, and their dependents continue. The cost is proportional to the number of changes.
 */
export function settleTies(next: NextPlan): void {
  if (next.ends === undefined) return;
  // Each step ends only once, but one end can cause another.
  for (let ends = next.ends; ends.length > 0; ends = next.ends ?? []) {
    next.ends = [];
    for (const stepId of ends) settleTie(next, stepId);
  }
  delete next.ends;
}

function settleTie(next: NextPlan, stepId: StepId): void {
  if (next.steps.get(stepId)?.state.status === "reviewing") {
    heedVerdicts(next, stepId);
    return;
  }
  heedVerifier(next, stepId);
  const ended = next.steps.get(stepId);
  if (ended === undefined || !isSettled(ended.state)) return;
  if (ended.state.status !== "cancelled") announce(next, ended);
  callStandIn(next, ended);
  standInFor(next, ended);
  const isLast = primaryOf(next, stepId) === undefined && ended.step.fallback === undefined;
  if (ended.state.status === "failed" && isLast && isLost(ended)) reviseAfterLoss(next, stepId);
}
