import type { StepId } from "./ids.ts";
import type { Step } from "./plan-language.ts";
import { conditionReferences } from "./condition/parse-condition.ts";
import { findReferences } from "./references.ts";

/**
 * The steps that a step waits for: those it names in `dependsOn`, then those that its arguments and its condition
 * refer to.
 *
 * Each appears once. Malformed references are not dependencies; `checkPlan` refuses them.
 */
export function dependenciesOf(
  step: Pick<Step, "args" | "dependsOn"> & { readonly when?: string | undefined },
): StepId[] {
  const references = [...findReferences(step.args).references, ...conditionReferences(step.when)];
  return [...new Set([...step.dependsOn, ...references.map((reference) => reference.stepId)])];
}
