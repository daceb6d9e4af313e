import { resolveArguments, type ResolvedArguments } from "../arguments/resolve-arguments.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { denial } from "./denied-calls.ts";
import type { PolicyCall } from "./match-rules.ts";
import { callOfStep, callOfUndo } from "./policy-call.ts";
import type { PlannedStep } from "./provenance.ts";

/**
 * The arguments that a step runs with: in every attempt those that were approved, when it had to be. A fault when they lead
 * nowhere, or the installation's policy forbids the call with them.
 */
export function allowedArguments(
  plan: KnownPlan,
  entry: PlannedStep & Pick<StepEntry, "item" | "grant" | "approved">,
): ResolvedArguments {
  const resolved = entry.approved ?? resolveArguments(plan, entry.step, entry.item?.value);
  return unlessDenied(plan, unlessApproved(entry, callOfStep(plan, entry)), resolved);
}

/** The same for what undoes a step. */
export function allowedUndoArguments(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate" | "approved">,
): ResolvedArguments {
  const resolved = entry.approved ?? resolveArguments(plan, entry.compensate);
  return unlessDenied(plan, unlessApproved(entry, callOfUndo(plan, entry)), resolved);
}

/** What a person has approved is no longer what a model composed. */
function unlessApproved({ approved }: Pick<StepEntry, "approved">, call: PolicyCall): PolicyCall {
  return approved === undefined ? call : { ...call, composed: undefined };
}

function unlessDenied({ goal }: KnownPlan, call: PolicyCall, resolved: ResolvedArguments): ResolvedArguments {
  if ("fault" in resolved) return resolved;
  const fault = denial(goal, { ...call, args: resolved.args });
  return fault === undefined ? resolved : { fault };
}
