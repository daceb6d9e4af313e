import { type Answer, type KnownPlan, missingResults } from "@planwright/plan";
import { succeededSteps, tellResults } from "./tell-results.ts";

/** The answer of a plan whose results no model judges: the results as they are, and what is missing. */
export function answerWithoutModel(plan: KnownPlan, cause: string): Answer {
  const results = tellResults(plan);
  const parts = [
    `No model has judged these results: ${cause}.`,
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
