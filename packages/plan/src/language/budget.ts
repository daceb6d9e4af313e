/** The budget of a plan, and the allowance of each piece of its work. */
import { z } from "zod";

/** The action when a budget is reached. */
export const OnExhausted = z.enum(["end", "ask"]);
export type OnExhausted = z.infer<typeof OnExhausted>;

const TOKENS_MAX = 1_000_000_000;
const USD_MIN = 0.000_001;
const USD_MAX = 1_000_000;
/** Thirty days. */
const SECONDS_MAX = 2_592_000;
const STEPS_MAX = 1_000_000;

export const BudgetLimits = z.object({
  /** Input and output tokens of every model call for the plan: drafts, steps and reviews. */
  tokens: z.int().min(1).max(TOKENS_MAX).optional(),
  /** The cost of these calls in US dollars. */
  usd: z.number().min(USD_MIN).max(USD_MAX).optional(),
  /** From the submission, in wall-clock time. */
  seconds: z.int().min(1).max(SECONDS_MAX).optional(),
  /** Attempts that are sent to workers: each retry of a step counts again. */
  steps: z.int().min(1).max(STEPS_MAX).optional(),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/** A budget as clients write it. */
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

/** The amounts by which limits are raised: the `edits` of an approved request for a larger budget. */
export const BudgetRaise = z.strictObject(BudgetLimits.shape);
export type BudgetRaise = z.infer<typeof BudgetRaise>;

/** A budget as stored in the log. */
export const StoredBudget = z.object({
  ...BudgetLimits.shape,
  onExhausted: OnExhausted.default("end"),
  /** The highest prices per token at submission, from which the reserved dollars are derived. */
  usdPerToken: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
});
export type StoredBudget = z.infer<typeof StoredBudget>;

/** The part of the plan's budget that one piece of work can use. Absent parts are unlimited. */
export const Allowance = z.object({
  maxTokens: z.int().nonnegative().optional(),
  maxUsd: z.number().nonnegative().optional(),
});
export type Allowance = z.infer<typeof Allowance>;

/** Usage that may have occurred but was not reported: of a call that broke off, or of a worker that died. */
export const Forfeit = z.object({ tokens: z.int().nonnegative(), usd: z.number().nonnegative() });
export type Forfeit = z.infer<typeof Forfeit>;

/** An entire allowance: the maximum that a worker may have used before it died. */
export function wholeOf({ maxTokens = 0, maxUsd = 0 }: Allowance): Forfeit {
  return { tokens: maxTokens, usd: maxUsd };
}
