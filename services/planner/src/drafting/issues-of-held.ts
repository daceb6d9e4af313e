import { checkPlan, checkStep, type DraftSoFar, type Issue, type Step } from "@planwright/plan";

/** A step that waits for another one to be written. */
export type HeldStep = { readonly step: Step; readonly index: number };

/** What is wrong with steps whose needs never came: they are not in the draft, or the steps wait for each other. */
export function issuesOfHeld(held: readonly HeldStep[], draft: DraftSoFar): readonly Issue[] {
  if (held.length === 0) return [];
  const known = new Set<string>(draft.planned);
  for (const { step } of held) known.add(step.id);
  const dangling = held.flatMap(({ step }) => {
    known.delete(step.id);
    const { issues } = checkStep(step, { ...draft, planned: known });
    known.add(step.id);
    return issues;
  });
  if (dangling.length > 0) return dangling;
  const { issues } = checkPlan({ steps: held.map(({ step }) => step) }, draft);
  return issues.filter(({ code }) => code === "cycle");
}
