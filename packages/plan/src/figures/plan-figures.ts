/**
 * What one plan contributes to the metrics of a system: a small record, made once at the plan's end.
 *
 * The record is derived from the plan's state alone and holds nothing that a late outcome could still change. It is
 * therefore the same when it is derived again from the log or from the archive; only a rating comes after the end.
 */
import { PlanTally } from "../events/plan-tally.ts";
import { z } from "zod";
import { Rating } from "../events/feedback-events.ts";
import { Outcome } from "../events/values.ts";
import { Strategy } from "../language/plan-language.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { isRefusal } from "../view/status-label.ts";
import { tallyOf } from "./plan-tally.ts";

/**
 * How a plan came about: the strategy that was asked for, or that `auto` chose first. `submitted`: it was submitted whole;
 * `undecided`: it ended before `auto` had chosen.
 */
export const PlannedBy = z.enum([...Strategy.exclude(["auto"]).options, "submitted", "undecided"]);
export type PlannedBy = z.infer<typeof PlannedBy>;

/** How a plan ended, as it is counted: `refused` plans ran well, and their answer is that the goal was not acted on. */
export const FiguredOutcome = z.enum([...Outcome.options, "refused"]);
export type FiguredOutcome = z.infer<typeof FiguredOutcome>;

const Milliseconds = z.int().nonnegative();

export const PlanFigures = z.object({
  ...PlanTally.shape,
  strategy: PlannedBy,
  outcome: FiguredOutcome,
  /** From its submission, or the start that it asked for, to its end. */
  durationMs: Milliseconds,
  /** Until its first draft was complete; null when it was submitted whole, or no draft ever was. */
  planningMs: Milliseconds.nullable(),
  isFork: z.boolean(),
  /** With those of its sub-plans. */
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** US dollars; null if the price of a model is unknown. */
  costUsd: z.number().nonnegative().nullable(),
  /** The last one that was given, and how many were. */
  rating: Rating.optional(),
  ratings: z.int().nonnegative(),
});
export type PlanFigures = z.infer<typeof PlanFigures>;

/** The figures of an ended plan. Undefined for an open one. */
export function figuresOf(plan: KnownPlan): PlanFigures | undefined {
  const { goal, usage, endedAt, conclusion, noted, feedback } = plan;
  if (endedAt === undefined || conclusion === undefined) return undefined;
  const start = Math.max(Date.parse(plan.submittedAt), Date.parse(goal.startAt ?? plan.submittedAt));
  const sinceStart = (at: string): number => Math.max(0, Date.parse(at) - start);
  const sealedAt = goal.plan === undefined ? noted?.sealedAt : undefined;
  const { modelCalls, inputTokens, outputTokens, costUsd } = usage;
  return {
    ...tallyOf(plan),
    strategy: plannedBy(plan),
    outcome: isRefusal(conclusion.outcome, conclusion.answer?.status) ? "refused" : conclusion.outcome,
    durationMs: sinceStart(endedAt),
    planningMs: sealedAt === undefined ? null : sinceStart(sealedAt),
    isFork: goal.fork !== undefined,
    modelCalls,
    inputTokens,
    outputTokens,
    costUsd,
    ...(feedback === undefined ? {} : { rating: feedback.rating }),
    ratings: feedback?.number ?? 0,
  };
}

/** How the plan came about. */
export function plannedBy({ goal, noted }: Pick<KnownPlan, "goal" | "noted">): PlannedBy {
  const { plan, strategy: asked } = goal;
  // Summaries, and plans of one call that were asked for, are submitted whole by the gateway, under their own name.
  if (plan !== undefined) return asked === "auto" ? "submitted" : asked;
  const strategy = noted?.strategy ?? asked;
  return strategy === "auto" ? "undecided" : strategy;
}
