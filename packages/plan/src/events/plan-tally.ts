/** Counts of a plan's activity: its own steps and those of its sub-plans, which report them when they end. */
import { z } from "zod";

const Count = z.int().nonnegative();

export const ToolTally = z.object({
  tool: z.string(),
  /** Steps that succeeded or failed permanently; each item of a list is one. */
  steps: Count,
  failed: Count,
  /** Attempts beyond the first of each step. */
  retries: Count,
  /** Of the last attempt of each step: the sum, and the maximum. */
  durationMs: Count,
  longestMs: Count,
});
export type ToolTally = z.infer<typeof ToolTally>;

const Counts = z.object({
  /** Steps that succeeded or failed permanently, including those that a revision replaced; each item of a list counts as one. */
  steps: Count,
  stepsFailed: Count,
  /** Revisions of plans that had started to run; excludes improvements of a draft before that, and new waves. */
  replans: Count,
  /** Number of human decisions. */
  decisions: Count,
  /** Number of plans that a reviewer edited before they ran, and of steps whose arguments a reviewer edited. */
  planEdits: Count,
  argumentEdits: Count,
  /** Steps and compensations that changed something and succeeded. Each counts once, regardless of its attempts. */
  mutationsIdempotent: Count,
  mutationsOnce: Count,
  /** Attempts of steps and of their compensations. */
  toolCalls: Count,
  /** One call for each step of the final plan that ran. */
  toolCallsMin: Count,
  /** One for each step of the final plan that calls a model and ran, one for the draft, one for the synthesis. */
  modelCallsMin: Count,
});

export const PlanTally = z.object({
  ...Counts.shape,
  /** By tool, sorted by name; absent when no step called a tool. */
  tools: z.array(ToolTally).optional(),
});
export type PlanTally = z.infer<typeof PlanTally>;
