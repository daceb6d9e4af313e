/** Facts: pieces of knowledge extracted from the outputs of steps, each under its own key. */
import { z } from "zod";

/** Maximum claims per extraction from one output. */
export const CLAIMS_MAX = 50;
export const QUESTIONS_MAX = 20;
export const PLAN_POINTS_MAX = 20;
const KEY_CHARS_MAX = 128;
const TEXT_CHARS_MAX = 2_000;

/** A flat value: structured knowledge becomes several facts. */
export const FactValue = z.union([z.string().max(TEXT_CHARS_MAX), z.number(), z.boolean(), z.null()]);
export type FactValue = z.infer<typeof FactValue>;

/** A claim extracted from one output. */
export const FactClaim = z.object({
  key: z.string().min(1).max(KEY_CHARS_MAX).meta({
    description: "The subject: claims with the same key are about the same thing.",
  }),
  value: FactValue,
  confidence: z.number().min(0).max(1).meta({ description: "From 0 to 1." }),
  source: z
    .string()
    .max(TEXT_CHARS_MAX)
    .optional()
    .meta({ description: "Where in the output it stands: a page, a file, a row." }),
});
export type FactClaim = z.infer<typeof FactClaim>;

/** What a plan should do instead, as text. */
export const ReplacedPlan = z.object({
  steps: z.array(z.string().min(1).max(TEXT_CHARS_MAX)).min(1).max(PLAN_POINTS_MAX),
  reason: z.string().max(TEXT_CHARS_MAX),
});
export type ReplacedPlan = z.infer<typeof ReplacedPlan>;

export const OpenQuestion = z.string().min(1).max(TEXT_CHARS_MAX);

/** How an output changes the known facts. It is the processor's only form of output. */
export const StatePatch = z.object({
  facts: z.array(FactClaim).max(CLAIMS_MAX),
  openQuestions: z.array(OpenQuestion).max(QUESTIONS_MAX).default([]),
  answeredQuestions: z
    .array(OpenQuestion)
    .max(QUESTIONS_MAX)
    .default([])
    .meta({ description: "Questions that the output answers, word for word." }),
  replacePlan: ReplacedPlan.optional(),
});
export type StatePatch = z.infer<typeof StatePatch>;
