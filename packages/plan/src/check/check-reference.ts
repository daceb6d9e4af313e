import type { PlacedReference } from "../language/references.ts";
import { quote } from "./describe-value.ts";
import type { IssueList } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";
import type { StepParts } from "./read-step.ts";

/** The steps that a step may depend on. */
export type KnownSteps = {
  has(id: string): boolean;
  ids(): Iterable<string>;
  /** How a message calls one of them. */
  readonly called: string;
};

/** Notes a reference to the step itself, or to one that there is not. */
export function checkReference(
  { id, place }: Pick<StepParts, "id" | "place">,
  { field, stepId, text }: Pick<PlacedReference, "field" | "stepId" | "text">,
  { known, issues }: { readonly known: KnownSteps; readonly issues: IssueList },
): void {
  if (stepId === id) {
    issues.addToStep("self_dependency", place, () => ({
      field,
      message: `wanted another step's output, got the step's own: ${quote(text)}`,
    }));
  } else if (!known.has(stepId)) {
    issues.addToStep("dangling_reference", place, () => ({
      field,
      message: `wanted the output of ${known.called}, got ${quote(text)}${didYouMean(stepId, known.ids())}`,
    }));
  }
}
