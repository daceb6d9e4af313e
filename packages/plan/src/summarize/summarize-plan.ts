/**
 * The `summarize` strategy: chunk → local summary → grouped roll-up → final reducer, with the facts ledger.
 *
 * It is an ordinary plan, so that each summary is stored once it is written: after a crash, only unfinished work is repeated.
 */
import { WRITER } from "../language/direct-plan.ts";
import { StepId } from "../values/ids.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { chunkText } from "./chunk-text.ts";
import type { InputText } from "./input-text.ts";
import { withoutTemplates } from "../language/without-templates.ts";

/** A plan document whose steps have only the required fields. */
export type SummarizePlan = {
  readonly steps: {
    readonly id: StepId;
    readonly description: string;
    readonly tool: string;
    readonly args: JsonObject;
    readonly dependsOn: StepId[];
  }[];
  readonly answerFrom: StepId;
};

type PlannedStep = SummarizePlan["steps"][number];

/**
 * The steps that summarize a text towards a goal: a call for each chunk, one for each group of `groupSize` on each level until
 * one group is left, and one that answers the goal.
 *
 * Facts that a chunk's call notes are merged and passed up next to the summaries, so that none is lost on the way.
 */
export function summarizePlan({
  goal,
  constraints,
  input: { text, chunkChars, groupSize },
}: {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly input: InputText;
}): SummarizePlan {
  const wanted = withoutTemplates([goal, ...constraints.map((constraint) => `- ${constraint}`)].join("\n"));
  const chunks = chunkText(text, chunkChars);
  const last = StepId.parse("summary");
  if (chunks.length === 1) {
    const args = { prompt: wanted, context: withoutTemplates(text) };
    return { steps: [stepOf(last, "Answer from the text", args)], answerFrom: last };
  }
  const locals = chunks.map((chunk, index) => localStep(chunk, { index, count: chunks.length, wanted }));
  const steps = [...locals];
  let level = locals;
  for (let round = 1; level.length > groupSize; round++) {
    const groups = groupsOf(level, groupSize);
    level = groups.map((group, index) => rollUpStep(group, { round, index, wanted }));
    steps.push(...level);
  }
  const prompt = `${wanted}\n\nThe context is summaries of consecutive parts of one text. Write the answer from them and from the facts, without mentioning parts or summaries.`;
  steps.push(stepOf(last, "Put everything together", { prompt, ...inputsOf(level) }));
  return { steps, answerFrom: last };
}

function localStep(
  chunk: string,
  { index, count, wanted }: { index: number; count: number; wanted: string },
): PlannedStep {
  const prompt = `The context is part ${index + 1} of ${count} of a text. Summarize it for this purpose:\n${wanted}\n\nKeep names, figures and dates exactly. Leave out what does not matter for it.`;
  const id = StepId.parse(`chunk-${index + 1}`);
  const args = { prompt, context: withoutTemplates(chunk), keepFacts: true };
  return stepOf(id, `Summarize part ${index + 1} of ${count}`, args);
}

function rollUpStep(
  group: readonly PlannedStep[],
  { round, index, wanted }: { round: number; index: number; wanted: string },
): PlannedStep {
  const prompt = `The context is summaries of consecutive parts of a text. Combine them into one summary for this purpose:\n${wanted}\n\nKeep what the facts say exactly, and say each thing once.`;
  const id = StepId.parse(`rollup-${round}-${index + 1}`);
  const ends = `${group[0]?.id ?? ""} to ${group.at(-1)?.id ?? ""}`;
  return stepOf(id, `Put ${ends} together`, { prompt, ...inputsOf(group) });
}

function inputsOf(steps: readonly PlannedStep[]): { context: Json[]; facts: Json[] } {
  return {
    context: steps.map(({ id }) => ({ $ref: `${id}.output.text` })),
    facts: steps.map(({ id }) => ({ $ref: `${id}.output.facts` })),
  };
}

function stepOf(id: StepId, description: string, args: JsonObject): PlannedStep {
  return { id, description, tool: WRITER, args, dependsOn: [] };
}

function groupsOf<Entry>(entries: readonly Entry[], size: number): Entry[][] {
  const count = Math.ceil(entries.length / size);
  return Array.from({ length: count }, (_, index) => entries.slice(index * size, (index + 1) * size));
}
