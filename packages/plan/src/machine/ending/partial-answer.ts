import { missingResults } from "./shortcomings.ts";
import type { Answer } from "../../events/values.ts";
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import { succeededSteps, tellResults } from "./tell-results.ts";

/** Keeps an answer in case nothing better comes. */
export function keepAnswer(next: NextPlan, answer: Answer): void {
  next.partialAnswer = answer;
}

/**
 * The answer of a plan whose results are not synthesized: the reason, the raw results, and what is missing.
 *
 * @param why - The reason, used as the first paragraph.
 */
export function partialAnswer(plan: KnownPlan, why: string): Answer {
  const results = tellResults(plan);
  const parts = [
    why,
    results === "" ? "No step gave a result." : `What the steps gave:\n${results}`,
    missingResults(plan),
  ];
  const sources = succeededSteps(plan).map(({ step }) => step.id);
  return {
    text: parts.filter((part) => part !== "").join("\n\n"),
    status: sources.length > 0 ? "partial" : "failed",
    sources,
    artifacts: plan.artifacts.toArray(),
  };
}
