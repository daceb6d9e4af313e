/** What the model is asked to say about one output, and what is made of it. */
import { JsonSchema, StatePatch } from "@planwright/plan";
import { parseStructured } from "@planwright/shared/model";
import { z } from "zod";

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

/** Every field required, nothing else allowed: what strict structured output accepts. */
export function statePatchSchema(): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(RawPatch, { io: "output" });
  return JsonSchema.parse(schema);
}

/** Reads a state patch from a model's text, cut to its limits. Never throws. */
export function readStatePatch(text: string): { readonly patch: StatePatch } | { readonly fault: string } {
  const parsed = parseStructured("state patch", RawPatch, text);
  if (!parsed.ok) {
    const faults = parsed.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    return { fault: faults.join("; ").slice(0, LIMIT.text) };
  }
  const { facts, openQuestions, answeredQuestions, replacePlan } = parsed.value;
  const patch = StatePatch.parse({
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
  return { patch };
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
