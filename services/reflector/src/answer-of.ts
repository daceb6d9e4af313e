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
  incompletenessOf,
  isMadeUpFor,
  missingResults,
  type StepEntry,
  type JoinWork,
  LIMITS,
} from "@planwright/plan";
import type { Judgement } from "./replies/judgement.ts";
import { type ArtifactStore, spill } from "@planwright/shared/artifacts";

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

/** The steps whose output lacks something, except those whose place a later draft has taken. */
function incompleteSteps({ steps }: Pick<KnownPlan, "steps">): StepEntry[] {
  return [...steps.values()].filter(
    ({ state, replaced }) => incompletenessOf({ state }) !== undefined && replaced !== true,
  );
}

/** The steps that failed for good and whose place neither a later draft nor a fallback has taken. */
function failedSteps(plan: Pick<KnownPlan, "steps" | "standIns">): StepEntry[] {
  const isMissing = (entry: StepEntry): boolean =>
    entry.state.status === "failed" && entry.replaced !== true && !isMadeUpFor(plan, entry);
  return [...plan.steps.values()].filter(isMissing);
}

/** A text that says what is missing: the text itself when nothing is, or when it names every failed step, else with that added. */
function withMissing(text: string, plan: KnownPlan): string {
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

const PREVIEW_CHARS_MAX = 2_000;

/**
 * Moves what is too large for a fact into artifacts: the data as a JSON file, the text as a Markdown file of
 * which the answer keeps the start.
 *
 * @param bytesMax - Default: the limit of an answer, 256 KiB.
 */
export async function keepLargeAnswer(
  artifacts: Pick<ArtifactStore, "put">,
  { planId, join }: Pick<JoinWork, "planId" | "join">,
  answer: Answer,
  { bytesMax = LIMITS.answerBytesMax }: { bytesMax?: number } = {},
): Promise<Answer> {
  const { data, ...rest } = answer;
  let kept: Answer = rest;
  if (Buffer.byteLength(kept.text) > bytesMax) {
    const content = Buffer.from(kept.text);
    const file = await artifacts.put(planId, `answer-${join}.md`, content, "text/markdown");
    const text = `${kept.text.slice(0, PREVIEW_CHARS_MAX)}…\n\nThe whole answer is the file ${file.name}.`;
    kept = { ...kept, text, artifacts: [...kept.artifacts, file] };
  }
  if (data === undefined) return kept;
  const room = Math.max(0, bytesMax - Buffer.byteLength(kept.text));
  const spilled = await spill(artifacts, data, { planId, name: `answer-${join}.json`, bytesMax: room });
  if ("value" in spilled) return { ...kept, data };
  const { artifact } = spilled;
  const text = `${kept.text}\n\nThe data of the answer is the file ${artifact.name}.`;
  return { ...kept, text, artifacts: [...kept.artifacts, artifact] };
}
