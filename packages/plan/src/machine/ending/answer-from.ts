import { WRITER } from "../../language/direct-plan.ts";
import { checkSources, type SourceCheck } from "../../sources/check-sources.ts";
import { knownSources } from "../../sources/known-sources.ts";
import { dependenciesOf } from "../../language/dependencies.ts";
import type { Answer, AnswerStatus, StepOutput } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import { ANSWER_STATUSES } from "../../values/codes.ts";
import { jsonBytes } from "../../check/json-bytes.ts";
import type { Json } from "../../values/json.ts";
import { isJsonObject, nestsDeeper } from "../../values/json-guards.ts";
import { OUTPUT_INLINE_BYTES_MAX } from "../../values/limits.ts";
import { partialAnswer } from "./partial-answer.ts";
import { readableValue } from "../../values/readable-value.ts";
import { failureText, firstFailure, missingResults, shorten } from "./shortcomings.ts";
import type { KnownPlan, StepEntry } from "../plan-state.ts";
import { delivererOf, standingOf } from "../links/standing.ts";

const SHOWN_LEVELS_MAX = 64;
const PREVIEW_CHARS_MAX = 2_000;

const NOT_LOADED: ReadonlyMap<string, Json> = new Map();

/**
 * Returns the answer of a plan that names the step that answers it. No model writes it.
 *
 * Text, or the `text` of an object, becomes the answer's text. Any other output becomes its `data`, and its text is the
 * same data in readable form. An object with a `text` and an answer's `status` is the whole answer: `text`, `status`,
 * `data`.
 * If a condition skipped the step, the only step that it depends on answers instead. Steps that failed permanently are
 * named, and make the answer partial.
 *
 * @returns Undefined if the plan names no step, or that step did not succeed: see {@link answerInstead}.
 */
export function answerFrom(plan: KnownPlan): Answer | undefined {
  if (plan.answerFrom === undefined) return undefined;
  const entry = answering(plan, plan.answerFrom);
  if (entry?.state.status !== "succeeded") return undefined;
  const body = bodyOf(entry, entry.state.output);
  const { text, faults } = checkedBody(plan, entry, body);
  const missing = missingResults(plan, text);
  const isPart = missing !== "" || entry.state.partial !== undefined || faults.length > 0;
  return {
    ...body,
    text: [text, missing, ...faults].filter((part) => part !== "").join("\n\n"),
    status: isPart ? "partial" : (body.status ?? "success"),
    sources: [entry.step.id],
    artifacts: plan.artifacts.toArray(),
  };
}

/**
 * Returns the answer of a plan whose answer step has no output: the results of the other steps, and why that output is
 * missing. No model writes it. A model only decides whether to revise the plan first.
 *
 * @returns Undefined if the plan names no step, or that step has an output: see {@link answerFrom}.
 */
export function answerInstead(
  plan: KnownPlan,
): { readonly reason: string; readonly answer: Answer } | undefined {
  const { answerFrom: stepId } = plan;
  if (stepId === undefined || answering(plan, stepId)?.state.status === "succeeded") return undefined;
  const why = `The answer was to come from step ${stepId}, which has no output.`;
  return { reason: reasonOfNone(plan, stepId), answer: partialAnswer(plan, why) };
}

/** Returns why the answer step has no output: its own failure, or else the first failure of the plan. */
function reasonOfNone(plan: KnownPlan, stepId: StepId): string {
  const entry = answering(plan, stepId);
  if (entry === undefined) return `the plan has no step ${stepId} to take its answer from`;
  const own = failureText(entry);
  if (own !== undefined) return own;
  const first = firstFailure(plan);
  const because = first === undefined ? undefined : failureText(first);
  const what = `step ${entry.step.id}, which was to answer, did not run`;
  if (because !== undefined) return `${because}; ${what}`;
  return "reason" in entry.state ? `${what}: ${shorten(entry.state.reason)}` : what;
}

type Body = { readonly text: string; readonly data?: Json; readonly status?: AnswerStatus };

function bodyOf(entry: StepEntry, output: StepOutput): Body {
  if ("artifact" in output) {
    return { text: `${output.preview}\n\nThe whole answer is the file ${output.artifact.name}.` };
  }
  if (isShownWhole(entry)) return describeOutput(output.value);
  // A repeated step's list of results, which does not fit into an event a second time.
  const text = shorten(JSON.stringify(output.value), PREVIEW_CHARS_MAX);
  const items = Array.isArray(output.value) ? output.value.length : 0;
  return { text: `${text}\n\nThe whole answer is the list of ${items} results of step ${entry.step.id}.` };
}

/**
 * Returns the text, with its sources checked if a model wrote it from other steps' outputs. A text that a model wrote
 * only from its prompt has no sources to check. Whether sources are required is checked for every text.
 */
function checkedBody(plan: KnownPlan, entry: StepEntry, { text }: Body): SourceCheck {
  const required = plan.goal.requireSources === true;
  const isWritten = entry.step.tool === WRITER && entry.dependencies.length > 0;
  if (!isWritten && !required) return { text, faults: [] };
  // A text that a model wrote is not a source of itself.
  const steps = isWritten ? plan.steps.delete(entry.step.id) : plan.steps;
  return checkSources(text, knownSources({ ...plan, steps }, NOT_LOADED), { required });
}

/** Returns the step whose output is the answer. */
function answering(plan: KnownPlan, stepId: StepId): StepEntry | undefined {
  const entry = delivererOf(plan, stepId);
  if (entry === undefined || standingOf(entry) !== "passed") return entry;
  const [only, ...others] = dependenciesOf(entry.step);
  return only === undefined || others.length > 0 ? entry : delivererOf(plan, only);
}

function describeOutput(value: Json): Body {
  if (typeof value === "string") return { text: value };
  if (isJsonObject(value) && typeof value["text"] === "string") {
    const { text, status, data } = value;
    // An output with an answer's status is the whole answer; its other fields are left out.
    if (isAnswerStatus(status)) return data === undefined ? { text, status } : { text, status, data };
    return Object.keys(value).length === 1 ? { text } : { text, data: value };
  }
  if (nestsDeeper(value, SHOWN_LEVELS_MAX)) {
    return {
      text: `The answer is nested more than ${SHOWN_LEVELS_MAX} levels deep: see its data.`,
      data: value,
    };
  }
  return { text: valueText(value), data: value };
}

function isAnswerStatus(status: Json | undefined): status is AnswerStatus {
  return ANSWER_STATUSES.some((known) => known === status);
}

/** Returns the readable form or, if that would exceed an output's size limit, the JSON. */
function valueText(value: Json): string {
  const text = readableValue(value);
  return text.length <= OUTPUT_INLINE_BYTES_MAX ? text : JSON.stringify(value);
}

/** Whether a step's list of results is small enough to be shown whole instead of item by item. */
export function isShownWhole({ step, state }: StepEntry): boolean {
  if (step.forEach === undefined || state.status !== "succeeded" || "artifact" in state.output) return true;
  return jsonBytes(state.output.value) <= OUTPUT_INLINE_BYTES_MAX;
}
