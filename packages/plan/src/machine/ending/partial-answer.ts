import { missingResults } from "./shortcomings.ts";
import type { Answer, StepOutput } from "../../events/values.ts";
import type { KnownPlan, NextPlan, StepEntry } from "../plan-state.ts";
import { isJsonObject, nestsDeeper } from "../../values/json-guards.ts";
import { inlineValue, readableValue } from "../../values/readable-value.ts";

/** Keeps an answer in case no better one follows. */
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
    results === "" ? "No step produced a result." : `Results so far:\n${results}`,
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

const ONE_CHARS_MAX = 1_000;
const ALL_CHARS_MAX = 20_000;
const SHOWN_LEVELS_MAX = 64;

/** Returns the raw results, a line or more for each; "" if there are none. */
export function tellResults({ steps }: Pick<KnownPlan, "steps">): string {
  const told: string[] = [];
  let chars = 0;
  const results = succeededSteps({ steps });
  for (const [index, entry] of results.entries()) {
    const line = tellResult(entry);
    chars += line.length;
    if (chars > ALL_CHARS_MAX) {
      told.push(`- and ${results.length - index} more results`);
      break;
    }
    told.push(line);
  }
  return told.join("\n");
}

/** Returns the steps that have a result, in the order of planning. */
export function succeededSteps({ steps }: Pick<KnownPlan, "steps">): StepEntry[] {
  return [...steps.values()]
    .filter(({ state }) => state.status === "succeeded")
    .sort((left, right) => left.position - right.position);
}

function tellResult({ step, state }: StepEntry): string {
  const name = step.description === "" ? step.tool : step.description;
  const output = state.status === "succeeded" ? outputText(state.output) : "";
  const shown = output.length <= ONE_CHARS_MAX ? output : `${output.slice(0, ONE_CHARS_MAX)}…`;
  return `- ${name} (${step.id}): ${shown}`;
}

function outputText(output: StepOutput): string {
  if ("artifact" in output) return `${output.preview} (the whole is the file ${output.artifact.name})`;
  const { value } = output;
  if (typeof value === "string") return value;
  const text = isJsonObject(value) ? value["text"] : undefined;
  if (typeof text === "string") return text;
  if (nestsDeeper(value, SHOWN_LEVELS_MAX)) return JSON.stringify(value);
  return inlineValue(value) ?? `\n${readableValue(value).replaceAll(/^/gm, "  ")}`;
}
