/** Reviews of step outputs and of drafts. A reflector writes them; the first event of a review counts. */
import { z } from "zod";
import { Forfeit } from "../language/budget.ts";
import { StepId } from "../values/ids.ts";
import { defineEvent } from "./define-event.ts";
import { MODEL_UNAVAILABLE } from "../values/codes.ts";
import { Attempt, DraftNumber, Item, Usage, RetryAfterMs } from "./values.ts";

/** `unjudged`: the review failed, and its subject is accepted unchanged, unless the review is requested again. */
export const Verdict = z.enum(["accepted", "rejected", "unjudged"]);
export type Verdict = z.infer<typeof Verdict>;

export const Findings = {
  score: z.number().min(0).max(1).optional().meta({ description: "Quality, from 0 to 1." }),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "Confidence of the reviewing model, from 0 to 1." }),
  issues: z.array(z.string().max(1_000)).max(20).default([]),
  suggestion: z
    .string()
    .max(4_000)
    .default("")
    .meta({ description: 'Suggested improvement; "" if there is none.' }),
} as const;

const Judgement = {
  verdict: Verdict,
  ...Findings,
  message: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: "For `unjudged`: the reason, and whether another review may help." }),
  cause: z.enum(["interrupted", "allowance_spent", "model_failed", MODEL_UNAVAILABLE, "unusable"]).optional(),
  retryAfterMs: RetryAfterMs,
  usage: Usage,
  forfeited: Forfeit.optional(),
} as const;

export const StepReviewed = defineEvent("step.reviewed", {
  stepId: StepId,
  item: Item,
  attempt: Attempt.meta({ description: "The attempt whose output was reviewed." }),
  review: z.int().positive().meta({ description: "The number of this review of the attempt, from 1." }),
  ...Judgement,
  replan: z
    .literal(true)
    .optional()
    .meta({ description: "The output is correct, but shows that the rest of the plan must change." }),
}).named(({ stepId, item, attempt, review }) => `${stepId}/${item}/${attempt}/review/${review}/done`);
export type StepReviewed = z.infer<typeof StepReviewed>;

const DraftJudgement = {
  draft: DraftNumber.meta({
    description: "Number of the draft, from 1. Plan drafts and answer drafts are numbered separately.",
  }),
  review: z.int().positive().meta({ description: "The number of this review of the draft, from 1." }),
  ...Judgement,
} as const;

/** A complete draft of the plan was reviewed before any of it ran. */
export const PlanReviewed = defineEvent("plan.reviewed", DraftJudgement).named(
  ({ draft, review }) => `plan/${draft}/review/${review}/done`,
);
export type PlanReviewed = z.infer<typeof PlanReviewed>;

/** A draft of the answer was reviewed. The first draft can be the output of one of the plan's steps. */
export const AnswerReviewed = defineEvent("answer.reviewed", DraftJudgement).named(
  ({ draft, review }) => `answer/${draft}/review/${review}/done`,
);
export type AnswerReviewed = z.infer<typeof AnswerReviewed>;
