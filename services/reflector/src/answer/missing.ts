import { type KnownPlan, missingResults, type StepEntry } from "@planwright/plan";

/** The steps that failed for good and that no later draft has taken the place of. */
export function failedSteps({ steps }: Pick<KnownPlan, "steps">): StepEntry[] {
  return [...steps.values()].filter(({ state, replaced }) => state.status === "failed" && replaced !== true);
}

/** A text that says what is missing: the text itself when it names every failed step, else with that added. */
export function withMissing(text: string, plan: KnownPlan): string {
  if (failedSteps(plan).every((entry) => isNamed(entry, text))) return text;
  return `${text}\n\n${missingResults(plan)}`;
}

function isNamed({ step }: StepEntry, text: string): boolean {
  const { id, description } = step;
  if (description !== "" && text.toLowerCase().includes(description.toLowerCase())) return true;
  // An id without a digit may be an ordinary word. Ids need no escaping: they hold no special characters.
  const before = /\d/.test(id) ? "(?<![\\w-])" : "step ";
  return new RegExp(`${before}${id}(?![\\w-])`, "i").test(text);
}
