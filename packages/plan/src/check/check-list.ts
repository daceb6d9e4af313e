import { findReferences, isReferenceObject, parseReference } from "../language/references.ts";
import { checkReference, type KnownSteps } from "./check-reference.ts";
import { quote } from "./describe-value.ts";
import type { IssueList } from "./issue-list.ts";
import type { StepParts } from "./read-step.ts";

/** Notes what is wrong with what a step runs for each of. Whether a reference leads to a list, only the plan's run can tell. */
export function checkList(
  { id, forEach, compensate, isReviewed, place }: StepParts,
  known: KnownSteps,
  issues: IssueList,
): void {
  if (forEach === undefined) return;
  if (compensate !== undefined) {
    issues.addToStep("compensated_items", place, () => ({
      field: "compensate",
      message: "wanted no compensation for a step that runs for each of a list: what it did is not undone",
    }));
  }
  if (isReviewed === true) {
    issues.addToStep("reviewed_items", place, () => ({
      field: "review",
      message:
        "wanted no review of a step that runs for each of a list: its results are not judged one by one",
    }));
  }
  if (isReferenceObject(forEach)) {
    const reference = parseReference(forEach.$ref);
    if (reference === undefined) {
      issues.addToStep("malformed_reference", place, () => ({
        field: "forEach",
        message: `wanted a reference to a list, such as s1.output.rows, got ${quote(forEach.$ref)}`,
      }));
    } else checkReference({ id, place }, { ...reference, field: "forEach" }, { known, issues });
    return;
  }
  const { references, malformed, secrets } = findReferences({ forEach });
  const named = secrets.map(({ name, field }) => ({ field, text: `secret.${name}` }));
  for (const { field, text } of [...references, ...malformed, ...named]) {
    issues.addToStep("malformed_reference", place, () => ({
      field,
      message: `wanted values, or one reference to a list, got a reference inside of a list: ${quote(text)}`,
    }));
  }
}
