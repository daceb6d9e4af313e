import { type KnownPlan, onBestPath, type StepEntry } from "@planwright/plan";

/** The steps that an answer is made of: what failed before a revision has been planned around, what succeeded counts. */
export function stepsOfThePlan(plan: Pick<KnownPlan, "steps" | "search">): StepEntry[] {
  return [...onBestPath(plan).steps.values()].filter(isOfThePlan);
}

function isOfThePlan({ state, replaced }: StepEntry): boolean {
  return replaced !== true || state.status === "succeeded";
}
