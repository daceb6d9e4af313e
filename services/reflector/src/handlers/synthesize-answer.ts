/** Reviews a plan's results: writes the answer or requests a revision; in a tree search, values the actions of a round. */
import {
  type ActionValue,
  type Answer,
  AnswerDrafted,
  AnswerGiven,
  answerInstead,
  draftedAnswer,
  type EventHead,
  isAnswerJudged,
  isToBeRewritten,
  JoinAbandoned,
  type Json,
  JoinWork,
  type KnownPlan,
  MODEL_UNAVAILABLE,
  NodesValued,
  partialAnswer,
  type PlanEvent,
  RevisionRequested,
  strategyOf,
  checkSources,
  knownSources,
  onAnswerSteps,
  type StepId,
  succeededSteps,
  tellResults,
  incompletenessOf,
  isMadeUpFor,
  missingResults,
  type StepEntry,
  LIMITS,
} from "@planwright/plan";
import { appendEvent } from "@planwright/shared/bus";
import type { JobFailure, ModelJob, Untraced } from "@planwright/shared/jobs";
import { type HandlerDeps, loadOutputs } from "../load-outputs.ts";
import { askForValues } from "../replies/action-values.ts";
import { askForJudgement, type Judgement } from "../replies/judgement.ts";
import { type ArtifactStore, spill } from "@planwright/shared/artifacts";

type Synthesis =
  /** `draft`: to be reviewed before it is given. */
  | { readonly decision: "answer" | "draft"; readonly answer: Answer }
  /** With the best answer so far. */
  | { readonly decision: "revise"; readonly answer: Answer; readonly reason: string }
  | { readonly decision: "value"; readonly values: readonly ActionValue[]; readonly cause?: string }
  /** The plan requests it again, now or later. */
  | ({ readonly decision: "abandon" } & Pick<JoinAbandoned["data"], "cause" | "message" | "retryAfterMs">);

/** Without a model the plan still gets an answer, so that it does not wait for a synthesis that never comes. */
export function synthesizeAnswer(deps: HandlerDeps): ModelJob<Untraced<JoinWork>, Synthesis> {
  return {
    Schema: JoinWork,
    destination: "work.reflect",
    consumer: "reflector",
    attributes: ({ join }) => ({ "plan.join": join }),
    span: ({ join }, { planId, revision }, stepSpans) => ({
      name: "invoke_agent reflector",
      links: [...stepSpans.values()],
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "reflector",
        "plan.id": planId,
        "plan.revision": revision,
        "plan.join": join,
      },
    }),
    interrupted: "the reflector stopped before the answer was complete",
    modelWork: ({ join }) => ({ kind: "join", join }),
    tried: ({ joining }) => ({ tried: joining.tries }),

    async ask({ plan, ...asking }) {
      const loaded = await loadOutputs(deps.artifacts, plan);
      if (strategyOf(plan).synthesis(plan) === "values") {
        return { decision: "value", values: await askForValues(plan, loaded, asking) };
      }
      return synthesisOf(plan, await askForJudgement(plan, loaded, asking), loaded);
    },

    async record({ work, plan, outcome, failure, used, trace }) {
      const { planId, join } = work;
      const found = outcome ?? withoutModel(plan, failure);
      const { decision } = found;
      const result =
        "answer" in found
          ? { ...found, answer: await keepLargeAnswer(deps.artifacts, work, found.answer) }
          : found;
      const event = eventOf({ ...work, at: deps.now() }, result, { join, ...used });
      await appendEvent(deps.publish, event, { trace });
      if (!("answer" in result)) return { "plan.join.decision": decision };
      if (failure !== undefined)
        deps.log.error({ planId, cause: failure.message }, "answered without a model");
      return { "plan.join.decision": decision, "plan.answer.status": result.answer.status };
    },
  };
}

function eventOf(
  head: EventHead,
  found: Synthesis,
  made: Pick<NodesValued["data"], "join" | "usage" | "forfeited">,
): PlanEvent {
  switch (found.decision) {
    case "answer":
      return AnswerGiven.create(head, { ...made, ...found });
    case "draft":
      return AnswerDrafted.create(head, { ...made, ...found });
    case "revise":
      return RevisionRequested.create(head, { ...made, ...found });
    case "value":
      return NodesValued.create(head, { ...made, ...found, values: [...found.values] });
    case "abandon":
      return JoinAbandoned.create(head, { ...made, ...found });
    default:
      found satisfies never;
      return found;
  }
}

/** If the answering step has no output, the model only decides about a revision: its text is not used. */
function synthesisOf(plan: KnownPlan, judgement: Judgement, loaded: ReadonlyMap<string, Json>): Synthesis {
  const instead = answerInstead(plan)?.answer;
  const decision = instead === undefined && isToBeRewritten(plan) ? "answer" : judgement.decision;
  const answer = instead ?? answerOf(plan, { ...judgement, decision }, loaded);
  if (decision === "revise") return { decision, answer, reason: judgement.reason };
  return { decision: instead === undefined && isAnswerJudged(plan) ? "draft" : "answer", answer };
}

/** Keeps the last draft, although its reviewer wanted a better one. */
function withoutModel(
  plan: KnownPlan,
  failure: JobFailure = { cause: "dead_lettered", message: "" },
): Synthesis {
  const { cause, message } = failure;
  if (cause === "interrupted" || cause === "allowance_spent" || cause === MODEL_UNAVAILABLE) {
    return { decision: "abandon", ...failure, cause };
  }
  if (strategyOf(plan).synthesis(plan) === "values" && cause !== "dead_lettered") {
    return { decision: "value", values: [], cause: message };
  }
  const partial = partialAnswer(plan, `No model reviewed these results: ${message}.`);
  return { decision: "answer", answer: draftedAnswer(plan) ?? partial };
}

/**
 * Builds the answer of a synthesis.
 *
 * A step that failed, or whose output is incomplete, is named and prevents the answer from being a success. Sources are steps
 * that have a result; invented ones are removed from the text and the list and named, and make the answer partial. If a
 * revision is requested, this is the best answer so far.
 *
 * @param loaded - The content of outputs kept as artifacts, by name.
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
  const said = checked.text === "" ? tellResults(answering) || "No step produced a result." : checked.text;
  const answer: Answer = {
    text: [withMissing(said, plan), ...checked.faults].join("\n\n"),
    status: statusOf(plan, judgement, checked.faults),
    sources: sources.length === 0 && decision === "revise" ? results : sources,
    artifacts: plan.artifacts.toArray(),
  };
  return data === undefined ? answer : { ...answer, data };
}

/** Steps that do not exist; existing steps without a result are only removed from the list. */
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

/** The steps with an incomplete output, except those replaced by a later draft. */
function incompleteSteps({ steps }: Pick<KnownPlan, "steps">): StepEntry[] {
  return [...steps.values()].filter(
    ({ state, replaced }) => incompletenessOf({ state }) !== undefined && replaced !== true,
  );
}

/** The steps that failed permanently and were replaced neither by a later draft nor by a fallback. */
function failedSteps(plan: Pick<KnownPlan, "steps" | "standIns">): StepEntry[] {
  const isMissing = (entry: StepEntry): boolean =>
    entry.state.status === "failed" && entry.replaced !== true && !isMadeUpFor(plan, entry);
  return [...plan.steps.values()].filter(isMissing);
}

/** Adds what is missing to a text, unless nothing is missing or it already names every failed step. */
function withMissing(text: string, plan: KnownPlan): string {
  if (incompleteSteps(plan).length === 0 && failedSteps(plan).every((entry) => isNamed(entry, text)))
    return text;
  return `${text}\n\n${missingResults(plan, text)}`.trimEnd();
}

function isNamed({ step }: StepEntry, text: string): boolean {
  const { id, description } = step;
  if (description !== "" && text.toLowerCase().includes(description.toLowerCase())) return true;
  // An id without a digit can be an ordinary word. Ids need no escaping, since they contain no special characters.
  const before = /\d/.test(id) ? "(?<![\\w-])" : "step ";
  return new RegExp(`${before}${id}(?![\\w-])`, "i").test(text);
}

const PREVIEW_CHARS_MAX = 2_000;

/**
 * Moves content that is too large for an event into artifacts: the data as a JSON file, the text as a Markdown file of
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
