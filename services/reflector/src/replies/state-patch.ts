/** The model's reply about one output, and the state patch read from it. */
import { StatePatch } from "@planwright/plan";
import { type Asking, askForJson, readJson, type ReadReply } from "@planwright/shared/jobs";
import { strictSchemaOf } from "@planwright/shared/model";
import { z } from "zod";
import { type FactsInput, factsPrompt } from "../prompts/facts-prompt.ts";

const LIMIT = { facts: 50, questions: 20, steps: 20, key: 128, text: 2_000 } as const;

const RawPatch = z.object({
  facts: z.array(
    z.object({
      key: z
        .string()
        .describe("What it is about, in snake_case; the key of a known fact about the same thing."),
      value: z.union([z.string(), z.number(), z.boolean()]),
      confidence: z.number().describe("From 0 to 1."),
      source: z.string().nullable().describe("Where in the output it is, or null."),
    }),
  ),
  openQuestions: z.array(z.string()),
  answeredQuestions: z
    .array(z.string())
    .describe("The open questions that the output answers, word for word."),
  replacePlan: z
    .object({ steps: z.array(z.string()), reason: z.string() })
    .nullable()
    .describe("Only if the rest of the plan no longer fits: what to do instead, and why."),
});

export const STATE_PATCH_SCHEMA = strictSchemaOf(RawPatch);

/** Requests the facts in one output; once more if the reply was cut off. */
export function askForFacts(
  input: FactsInput,
  { model, trace, signal }: Pick<Asking<never>, "model" | "trace" | "signal">,
): Promise<StatePatch> {
  const render = () => factsPrompt.render(input);
  const about = { name: "state_patch", schema: STATE_PATCH_SCHEMA, read: readStatePatch, repairs: false };
  return askForJson(model, { ...about, render, trace, signal });
}

/** Reads a state patch from a model's text, cut to its limits. */
function readStatePatch(text: string): ReadReply<StatePatch> {
  return readJson("state patch", RawPatch, { text, take: (raw) => ({ issues: [], value: patchOf(raw) }) });
}

function patchOf({
  facts,
  openQuestions,
  answeredQuestions,
  replacePlan,
}: z.output<typeof RawPatch>): StatePatch {
  return StatePatch.parse({
    facts: facts
      .filter(({ key }) => key.trim() !== "")
      .slice(0, LIMIT.facts)
      .map(({ key, value, confidence, source }) => ({
        key: key.trim().slice(0, LIMIT.key),
        value: typeof value === "string" ? value.slice(0, LIMIT.text) : value,
        confidence: Math.min(1, Math.max(0, confidence)),
        ...(source === null ? {} : { source: source.slice(0, LIMIT.text) }),
      })),
    openQuestions: textsOf(openQuestions, LIMIT.questions),
    answeredQuestions: textsOf(answeredQuestions, LIMIT.questions),
    ...replacedBy(replacePlan),
  });
}

function replacedBy(plan: z.output<typeof RawPatch>["replacePlan"]): Pick<StatePatch, "replacePlan"> {
  const steps = textsOf(plan?.steps ?? [], LIMIT.steps);
  if (plan === null || steps.length === 0) return {};
  return { replacePlan: { steps, reason: plan.reason.slice(0, LIMIT.text) } };
}

function textsOf(texts: readonly string[], countMax: number): string[] {
  return texts
    .map((text) => text.trim().slice(0, LIMIT.text))
    .filter((text) => text !== "")
    .slice(0, countMax);
}
