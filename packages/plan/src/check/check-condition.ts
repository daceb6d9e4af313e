import { referencesIn } from "../language/condition.ts";
import { parseCondition } from "../language/parse-condition.ts";
import { checkReference, type KnownSteps } from "./check-reference.ts";
import { quote } from "./describe-value.ts";
import type { IssueList } from "./issue-list.ts";
import type { StepParts } from "./read-step.ts";

/** Notes what is wrong with a step's condition: it is not understood, or about steps that it cannot be about. */
export function checkCondition(
  { id, when, place }: Pick<StepParts, "id" | "when" | "place">,
  known: KnownSteps,
  issues: IssueList,
): void {
  if (when === undefined) return;
  const parsed = parseCondition(when);
  if ("fault" in parsed) {
    issues.addToStep("malformed_condition", place, () => ({ field: "when", message: parsed.fault }));
    return;
  }
  const references = referencesIn(parsed.condition);
  if (references.length === 0) {
    issues.addToStep("malformed_condition", place, () => ({
      field: "when",
      message: `wanted a condition over results, got one that refers to none: ${quote(when)}`,
    }));
  }
  for (const { stepId, text } of references) {
    checkReference({ id, place }, { field: "when", stepId, text }, { known, issues });
  }
}
