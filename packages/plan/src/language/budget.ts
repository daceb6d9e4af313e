/** What a plan may use in all, and what one piece of its work may. */
import { z } from "zod";

/** What happens when a budget is reached. */
export const OnExhausted = z.enum(["end", "ask"]);
export type OnExhausted = z.infer<typeof OnExhausted>;

const TOKENS_MAX = 1_000_000_000;
const USD_MIN = 0.000_001;
const USD_MAX = 1_000_000;
/** Thirty days. */
const SECONDS_MAX = 2_592_000;
const STEPS_MAX = 1_000_000;

export const BudgetLimits = z.object({
  /** Input and output tokens of every model call for the plan: drafts, steps and judgements. */
  tokens: z.int().min(1).max(TOKENS_MAX).optional(),
  /** US dollars that these calls cost. */
  usd: z.number().min(USD_MIN).max(USD_MAX).optional(),
  /** From the submission, by the clock on the wall. */
  seconds: z.int().min(1).max(SECONDS_MAX).optional(),
  /** Attempts that are sent to workers: a step that is tried again counts again. */
  steps: z.int().min(1).max(STEPS_MAX).optional(),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/** As a client writes it. */
export const Budget = z
  .strictObject({
    ...BudgetLimits.shape,
    onExhausted: OnExhausted.default("end").meta({
      description:
        "What happens when a limit is reached: `end` the plan with its results so far, or `ask` for approval of a higher limit.",
    }),
  })
  .refine(
    ({ tokens, usd, seconds, steps }) => (tokens ?? usd ?? seconds ?? steps) !== undefined,
    "wanted at least one of tokens, usd, seconds and steps",
  );
export type Budget = z.infer<typeof Budget>;

/** By how much limits are raised: the `edits` of an approved request for more. */
export const BudgetRaise = z.strictObject(BudgetLimits.shape);
export type BudgetRaise = z.infer<typeof BudgetRaise>;

/** As the log keeps it. */
export const StoredBudget = z.object({
  ...BudgetLimits.shape,
  onExhausted: OnExhausted.default("end"),
  /** The dearest prices of a token at submission: what is reserved in dollars is derived from them. */
  usdPerToken: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
});
export type StoredBudget = z.infer<typeof StoredBudget>;

/** What one piece of work may use of the plan's budget. Absent parts are not limited. */
export const Allowance = z.object({
  maxTokens: z.int().nonnegative().optional(),
  maxUsd: z.number().nonnegative().optional(),
});
export type Allowance = z.infer<typeof Allowance>;

/** Possible but uncounted usage: of a call that broke off, or of a worker that died. */
export const Forfeit = z.object({ tokens: z.int().nonnegative(), usd: z.number().nonnegative() });
export type Forfeit = z.infer<typeof Forfeit>;

/** The whole of an allowance: what a worker that died with it may have used. */
export function wholeOf({ maxTokens = 0, maxUsd = 0 }: Allowance): Forfeit {
  return { tokens: maxTokens, usd: maxUsd };
}
