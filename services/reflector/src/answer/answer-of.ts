import {
  type Answer,
  type KnownPlan,
  onBestPath,
  type StepId,
  succeededSteps,
  tellResults,
} from "@planwright/plan";
import type { Judgement } from "../judge/judgement.ts";
import { failedSteps, truncatedSteps, withMissing } from "./missing.ts";

/**
 * The answer that a judgement comes to.
 *
 * A step that failed, or whose output ends early, is named and keeps the answer from being a success; sources are steps that have a
 * result. When a revision is asked for, this is the best answer so far.
 */
export function answerOf(plan: KnownPlan, judgement: Judgement): Answer {
  const { decision, text, data } = judgement;
  const answering = onBestPath(plan);
  const results = succeededSteps(answering).map(({ step }) => step.id);
  const sources = sourcesOf(judgement, results);
  const said = text === "" ? tellResults(answering) || "No step gave a result." : text;
  const answer: Answer = {
    text: withMissing(said, plan),
    status: statusOf(plan, judgement),
    sources: sources.length === 0 && decision === "revise" ? results : sources,
    artifacts: plan.artifacts.toArray(),
  };
  return data === undefined ? answer : { ...answer, data };
}

function sourcesOf({ sources }: Judgement, results: readonly StepId[]): StepId[] {
  if (sources === null) return [...results];
  const named = new Set(sources);
  return results.filter((id) => named.has(id));
}

function statusOf(plan: KnownPlan, { decision, status }: Judgement): Answer["status"] {
  if (status !== "success") return status;
  const lacks = failedSteps(plan).length > 0 || truncatedSteps(plan).length > 0;
  return decision === "revise" || lacks ? "partial" : status;
}
