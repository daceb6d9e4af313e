import { resolveArguments, type ResolvedArguments } from "../resolve-arguments.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../state/plan-state.ts";
import { denial } from "./denied-calls.ts";

/**
 * The arguments that a step runs with: in every attempt those that were approved, when it had to be. A fault when they lead
 * nowhere, or the installation's policy forbids the call with them.
 */
export function allowedArguments(
  plan: KnownPlan,
  { step, item, approved }: Pick<StepEntry, "step" | "item" | "approved">,
): ResolvedArguments {
  return unlessDenied(plan, step.tool, approved ?? resolveArguments(plan, step, item?.value));
}

/** The same for what undoes a step. */
export function allowedUndoArguments(
  plan: KnownPlan,
  { compensate, approved }: Pick<CompensationEntry, "compensate" | "approved">,
): ResolvedArguments {
  return unlessDenied(plan, compensate.tool, approved ?? resolveArguments(plan, compensate));
}

function unlessDenied({ goal }: KnownPlan, tool: string, resolved: ResolvedArguments): ResolvedArguments {
  if ("fault" in resolved) return resolved;
  const fault = denial(goal.policy, { tool, args: resolved.args });
  return fault === undefined ? resolved : { fault };
}
