import {
  type Answer,
  checkSources,
  type Json,
  type KnownPlan,
  knownSources,
  onAnswerSteps,
  type StepId,
  succeededSteps,
  tellResults,
} from "@planwright/plan";
import type { Judgement } from "../replies/judgement.ts";
import { failedSteps, incompleteSteps, withMissing } from "./missing.ts";

/**
 * The answer of a synthesis.
 *
 * A step that failed, or whose output lacks something, is named and keeps the answer from being a success. Sources are steps that
 * have a result; invented ones are removed from the text and the list and named, and make the answer partial. When a revision
 * is asked for, this is the best answer so far.
 *
 * @param loaded - The content of outputs that are kept as artifacts, by name.
 */
export function answerOf(plan: KnownPlan, judgement: Judgement, loaded: ReadonlyMap<string, Json>): Answer {
  const { decision, text, data } = judgement;
  const answering = onAnswerSteps(plan);
  const results = succeededSteps(answering).map(({ step }) => step.id);
  const sources = sourcesOf(judgement, results);
  const checked = checkSources(text, knownSources(answering, loaded), {
    invented: inventedSteps(plan, judgement),
    required: plan.goal.requireSources === true && decision === "answer",
  });
  const said = checked.text === "" ? tellResults(answering) || "No step gave a result." : checked.text;
  const answer: Answer = {
    text: [withMissing(said, plan), ...checked.faults].join("\n\n"),
    status: statusOf(plan, judgement, checked.faults),
    sources: sources.length === 0 && decision === "revise" ? results : sources,
    artifacts: plan.artifacts.toArray(),
  };
  return data === undefined ? answer : { ...answer, data };
}

/** Steps that there are not; those without a result are left out of the list and no more. */
function inventedSteps({ steps }: KnownPlan, { sources }: Judgement): string[] {
  const known = new Set<string>(steps.keys());
  return (sources ?? []).filter((id) => !known.has(id));
}

function sourcesOf({ sources }: Judgement, results: readonly StepId[]): StepId[] {
  if (sources === null) return [...results];
  const named = new Set(sources);
  return results.filter((id) => named.has(id));
}

function statusOf(
  plan: KnownPlan,
  { decision, status }: Judgement,
  faults: readonly string[],
): Answer["status"] {
  if (status !== "success") return status;
  const lacks = failedSteps(plan).length > 0 || incompleteSteps(plan).length > 0 || faults.length > 0;
  return decision === "revise" || lacks ? "partial" : status;
}
