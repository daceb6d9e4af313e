import { resolveArguments, type ResolvedArguments } from "../resolve-arguments.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../state/plan-state.ts";
import { denial } from "./denied-calls.ts";
import type { PolicyCall } from "./match-rules.ts";
import { callOfStep, callOfUndo } from "./policy-call.ts";

/**
 * The arguments that a step runs with: in every attempt those that were approved, when it had to be. A fault when they lead
 * nowhere, or the installation's policy forbids the call with them.
 */
export function allowedArguments(
  plan: KnownPlan,
  entry: Pick<StepEntry, "step" | "item" | "draft" | "approved">,
): ResolvedArguments {
  const resolved = entry.approved ?? resolveArguments(plan, entry.step, entry.item?.value);
  return unlessDenied(plan, callOfStep(plan, entry), resolved);
}

/** The same for what undoes a step. */
export function allowedUndoArguments(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate" | "approved">,
): ResolvedArguments {
  const resolved = entry.approved ?? resolveArguments(plan, entry.compensate);
  return unlessDenied(plan, callOfUndo(plan, entry), resolved);
}

function unlessDenied({ goal }: KnownPlan, call: PolicyCall, resolved: ResolvedArguments): ResolvedArguments {
  if ("fault" in resolved) return resolved;
  const fault = denial(goal.policy, { ...call, args: resolved.args });
  return fault === undefined ? resolved : { fault };
}
