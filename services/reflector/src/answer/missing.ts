import { type KnownPlan, missingResults, type StepEntry } from "@planwright/plan";

/**
 * The plan with only the steps that its last draft planned: what failed before a revision, or in a draft that
 * was abandoned, has been planned around.
 */
function current(plan: KnownPlan): KnownPlan {
  return { ...plan, steps: plan.steps.filter(({ draft }) => draft === plan.drafting.number) };
}

/** The steps that the plan still wanted and that failed for good. */
export function failedSteps(plan: KnownPlan): StepEntry[] {
  return [...current(plan).steps.values()].filter(({ state }) => state.status === "failed");
}

/** What did not come about, as sentences; "" when nothing is missing. */
export function missingText(plan: KnownPlan): string {
  return missingResults(current(plan));
}

/** A text that says what is missing: the text itself when it names every failed step, else with that added. */
export function withMissing(text: string, plan: KnownPlan): string {
  const failed = failedSteps(plan);
  if (failed.length === 0 || failed.every((entry) => isNamed(entry, text))) return text;
  return text === "" ? missingText(plan) : `${text}\n\n${missingText(plan)}`;
}

function isNamed({ step }: StepEntry, text: string): boolean {
  const words = text.toLowerCase();
  const { description } = step;
  if (description !== "" && words.includes(description.toLowerCase())) return true;
  // Ids hold letters, digits, underscores and hyphens only.
  return new RegExp(`(?<![\\w-])${step.id}(?![\\w-])`, "i").test(text);
}
