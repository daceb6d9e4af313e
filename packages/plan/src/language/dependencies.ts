import type { StepId } from "../values/ids.ts";
import type { Step } from "./plan-language.ts";
import { conditionReferences } from "./parse-condition.ts";
import { findReferences } from "./references.ts";

type Waiting = Pick<Step, "args" | "dependsOn"> & {
  readonly [Name in "when" | "forEach" | "verifies"]?: Step[Name] | undefined;
};

/**
 * The steps that a step waits for: those it names in `dependsOn`, then the one that it verifies, then those that its
 * arguments, its condition and its list refer to.
 *
 * Each appears once. Malformed references are not dependencies; `checkPlan` refuses them.
 */
export function dependenciesOf({ dependsOn, args, when, forEach, verifies }: Waiting): StepId[] {
  const references = [
    ...findReferences(args, { forEach }).references,
    ...(forEach === undefined ? [] : findReferences({ forEach }).references),
    ...conditionReferences(when),
  ];
  const named = verifies === undefined ? dependsOn : [...dependsOn, verifies];
  return [...new Set([...named, ...references.map((reference) => reference.stepId)])];
}
