import { z } from "zod";
import { dependenciesOf } from "./dependencies.ts";
import { type Answer, AnswerStatus } from "./events/values.ts";
import type { StepId } from "./ids.ts";
import { isShownWhole } from "./item-view.ts";
import { isJsonObject, type Json, JsonValue, nestsDeeper } from "./json.ts";
import { OUTPUT_INLINE_BYTES_MAX } from "./limits.ts";
import type { KnownPlan, StepEntry } from "./state/plan-state.ts";
import { delivererOf, hasFailed, isLost, standingOf } from "./state/standing.ts";
import { primaryOf } from "./state/ties.ts";

/** An answer is a fact of the log, so that each part of it has a limit. */
const SHOWN_FAILURES_MAX = 20;
const SHOWN_CHARS_MAX = 500;
const SHOWN_LEVELS_MAX = 64;

/** What an output is that says all of an answer; more than this is not told. */
const WholeAnswer = z
  .object({ text: z.string(), status: AnswerStatus, data: JsonValue.optional() })
  .transform(({ data, ...rest }) => (data === undefined ? rest : { ...rest, data }));

/**
 * The answer of a plan that names the step which answers it, without asking a model.
 *
 * An output that is text, or an object with a `text`, is the answer's text; anything else is its `data`,
 * with its JSON as text. An object with a `text` and the `status` of an answer says all of it: `text`, `status`, `data`.
 * A step that was passed over leaves the answer to the only step that it depends on. Steps that failed for good are
 * named, and make the answer partial.
 *
 * @returns Undefined when the plan names no step, or that step did not succeed.
 */
export function answerFrom(plan: KnownPlan): Answer | undefined {
  if (plan.answerFrom === undefined) return undefined;
  const entry = answering(plan, plan.answerFrom);
  if (entry?.state.status !== "succeeded") return undefined;
  const { output } = entry.state;
  // Too long to be told as it is: somebody has to put it in words.
  if (!isShownWhole(entry)) return undefined;
  const missing = missingResults(plan);
  const body =
    "artifact" in output
      ? { text: `${output.preview}\n\nThe whole answer is the file ${output.artifact.name}.` }
      : describeOutput(output.value);
  return {
    ...body,
    text: missing === "" ? body.text : `${body.text}\n\n${missing}`,
    status: missing === "" ? (body.status ?? "success") : "partial",
    sources: [entry.step.id],
    artifacts: plan.artifacts.toArray(),
  };
}

/**
 * What did not come about, as sentences: one for each failed step, one for those that were skipped; "" when
 * nothing is missing. Steps that a later draft has taken the place of are not.
 */
export function missingResults(plan: KnownPlan): string {
  const failed: string[] = [];
  let skipped = 0;
  for (const entry of plan.steps.valueSeq().sortBy(({ position }) => position)) {
    if (entry.replaced === true || isMadeUpFor(plan, entry)) continue;
    if (entry.state.status === "failed")
      failed.push(`${nameOf(entry)} failed: ${shorten(entry.state.error.message, SHOWN_CHARS_MAX)}.`);
    else if (entry.state.status === "succeeded" && (entry.state.failedItems ?? 0) > 0)
      failed.push(`${nameOf(entry)} failed for ${entry.state.failedItems} of its items.`);
    else if (hasFailed(entry.state)) skipped += 1;
    if (entry.state.status === "succeeded" && entry.state.truncated === true)
      failed.push(`The output of ${nameOf(entry)} ends early: the model reached its length limit.`);
  }
  if (failed.length === 0 && skipped === 0) return "";
  const shown = failed.slice(0, SHOWN_FAILURES_MAX);
  if (failed.length > shown.length) shown.push(`${failed.length - shown.length} more steps failed.`);
  if (skipped > 0) shown.push(`${skipped} ${skipped === 1 ? "step" : "steps"} that needed them did not run.`);
  return `Missing: ${shown.join(" ")}`;
}

/** It has failed, and another step has delivered in its place, or it was to deliver in the place of one that has. */
export function isMadeUpFor(plan: Pick<KnownPlan, "steps" | "standIns">, entry: StepEntry): boolean {
  if (!hasFailed(entry.state)) return false;
  if (!isLost(entry)) return true;
  const primary = primaryOf(plan, entry.step.id);
  return primary !== undefined && !isLost(primary);
}

function nameOf({ step }: StepEntry): string {
  return step.description === ""
    ? `step ${step.id}`
    : `step ${step.id} (${shorten(step.description, SHOWN_CHARS_MAX)})`;
}

/** The step whose output is the answer. */
function answering(plan: KnownPlan, stepId: StepId): StepEntry | undefined {
  const entry = delivererOf(plan, stepId);
  if (entry === undefined || standingOf(entry) !== "passed") return entry;
  const [only, ...others] = dependenciesOf(entry.step);
  return only === undefined || others.length > 0 ? entry : delivererOf(plan, only);
}

function describeOutput(value: Json): { text: string; data?: Json; status?: AnswerStatus } {
  if (typeof value === "string") return { text: value };
  const whole = WholeAnswer.safeParse(value);
  if (whole.success) return whole.data;
  if (isJsonObject(value) && typeof value["text"] === "string") {
    return Object.keys(value).length === 1 ? { text: value["text"] } : { text: value["text"], data: value };
  }
  if (nestsDeeper(value, SHOWN_LEVELS_MAX)) {
    return {
      text: `The answer is nested more than ${SHOWN_LEVELS_MAX} levels deep: see its data.`,
      data: value,
    };
  }
  return { text: jsonText(value), data: value };
}

/** Indented, unless the indentation would make more of it than the value. */
function jsonText(value: Json): string {
  const indented = JSON.stringify(value, undefined, 2);
  return indented.length <= OUTPUT_INLINE_BYTES_MAX ? indented : JSON.stringify(value);
}

function shorten(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}
