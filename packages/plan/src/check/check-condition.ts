import { referencesIn } from "../condition/condition.ts";
import { parseCondition } from "../condition/parse-condition.ts";
import type { KnownSteps } from "./check-parts.ts";
import { quote } from "./describe-value.ts";
import type { IssueList } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";
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
    if (stepId === id) {
      issues.addToStep("self_dependency", place, () => ({
        field: "when",
        message: `wanted another step's output, got the step's own: ${quote(text)}`,
      }));
    } else if (!known.has(stepId)) {
      issues.addToStep("dangling_reference", place, () => ({
        field: "when",
        message: `wanted the output of ${known.called}, got ${quote(text)}${didYouMean(stepId, known.ids())}`,
      }));
    }
  }
}
