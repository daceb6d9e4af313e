import {
  incompletenessOf,
  isMadeUpFor,
  type KnownPlan,
  missingResults,
  type StepEntry,
} from "@planwright/plan";

/** The steps whose output lacks something, except those whose place a later draft has taken. */
export function incompleteSteps({ steps }: Pick<KnownPlan, "steps">): StepEntry[] {
  return [...steps.values()].filter(
    ({ state, replaced }) => incompletenessOf({ state }) !== undefined && replaced !== true,
  );
}

/** The steps that failed for good and whose place neither a later draft nor a fallback has taken. */
export function failedSteps(plan: Pick<KnownPlan, "steps" | "standIns">): StepEntry[] {
  const isMissing = (entry: StepEntry): boolean =>
    entry.state.status === "failed" && entry.replaced !== true && !isMadeUpFor(plan, entry);
  return [...plan.steps.values()].filter(isMissing);
}

/** A text that says what is missing: the text itself when nothing is, or when it names every failed step, else with that added. */
export function withMissing(text: string, plan: KnownPlan): string {
  if (incompleteSteps(plan).length === 0 && failedSteps(plan).every((entry) => isNamed(entry, text)))
    return text;
  return `${text}\n\n${missingResults(plan, text)}`.trimEnd();
}

function isNamed({ step }: StepEntry, text: string): boolean {
  const { id, description } = step;
  if (description !== "" && text.toLowerCase().includes(description.toLowerCase())) return true;
  // An id without a digit may be an ordinary word. Ids need no escaping: they hold no special characters.
  const before = /\d/.test(id) ? "(?<![\\w-])" : "step ";
  return new RegExp(`${before}${id}(?![\\w-])`, "i").test(text);
}
