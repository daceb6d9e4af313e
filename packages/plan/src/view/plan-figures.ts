/**
 * One plan's contribution to the metrics of a system: a small record, created once at the plan's end.
 *
 * The record is derived from the plan's state alone and contains nothing that a late outcome could still change. It is therefore
 * the same if it is derived again from the log or from the archive; only a rating comes after the end.
 */
import { PlanTally, type ToolTally } from "../events/plan-tally.ts";
import { z } from "zod";
import { Rating } from "../events/feedback-events.ts";
import { Outcome } from "../events/values.ts";
import { Strategy } from "../language/plan-language.ts";
import type { KnownPlan, Approval, CompensationEntry, StepEntry } from "../machine/plan-state.ts";
import { isRefusal } from "./status-label.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import { HUMAN_ASK, PLAN_RUN } from "../language/tool-names.ts";
import { onAnswerSteps, strategyNamed } from "../machine/drafting/strategies.ts";
import { allRuns, runNamed } from "../machine/step/runs.ts";
import { toolTallies, NOTHING_COUNTED, addTallies, addToolTally } from "../values/add-tallies.ts";
import { FLOW_WAIT } from "./estimate/flow-wait.ts";

/**
 * How a plan was created: the requested strategy, or the one that `auto` chose first. `submitted`: it is a predefined plan;
 * `undecided`: it ended before `auto` had chosen.
 */
export const PlannedBy = z.enum([...Strategy.exclude(["auto"]).options, "submitted", "undecided"]);
export type PlannedBy = z.infer<typeof PlannedBy>;

/** How a plan ended, for counting: `refused` plans ran without faults, but their answer is that the goal was not acted on. */
export const FiguredOutcome = z.enum([...Outcome.options, "refused"]);
export type FiguredOutcome = z.infer<typeof FiguredOutcome>;

const Milliseconds = z.int().nonnegative();

export const PlanFigures = z.object({
  ...PlanTally.shape,
  strategy: PlannedBy,
  outcome: FiguredOutcome,
  /** From its submission, or its requested start time, to its end. */
  durationMs: Milliseconds,
  /** Until its first draft was complete; null for a predefined plan, or if no draft was ever completed. */
  planningMs: Milliseconds.nullable(),
  isFork: z.boolean(),
  /** Includes those of its sub-plans. */
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** US dollars; null if the price of a model is unknown. */
  costUsd: z.number().nonnegative().nullable(),
  /** The last rating, and the number of ratings. */
  rating: Rating.optional(),
  ratings: z.int().nonnegative(),
});
export type PlanFigures = z.infer<typeof PlanFigures>;

/** The metrics of an ended plan; undefined for an open one. */
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

/** How the plan was created. */
export function plannedBy({ goal, noted }: Pick<KnownPlan, "goal" | "noted">): PlannedBy {
  const { plan, strategy: asked } = goal;
  // The gateway submits summaries and requested one-call plans as predefined plans, under the name of their strategy.
  if (plan !== undefined) return asked === "auto" ? "submitted" : asked;
  const strategy = noted?.strategy ?? asked;
  return strategy === "auto" ? "undecided" : strategy;
}

/** Counts a plan that is over, or is about to end. */
export function tallyOf(plan: KnownPlan): PlanTally {
  const counts = { ...NOTHING_COUNTED };
  const tools = new Map<string, ToolTally>();
  const { steps: final } = onAnswerSteps(plan);
  for (const entry of allRuns(plan)) {
    if (!isOwnRun(plan, entry)) continue;
    // The items of a replaced step are not marked as replaced.
    const owner = final.get(entry.step.id);
    countStep(counts, entry, owner !== undefined && owner.replaced !== true);
    countTool(tools, entry);
  }
  for (const entry of plan.compensations ?? []) countUndoing(counts, entry);
  for (const approval of plan.approvals.values()) countApproval(counts, approval);
  counts.replans = plan.revisions.filter(({ cause }) => cause !== "wave" && cause !== "critique").length;
  counts.modelCallsMin += draftsMin(plan) + (plan.joining.number > 0 ? 1 : 0);
  const own: PlanTally = { ...counts, ...toolTallies(tools) };
  return plan.noted?.subPlans === undefined ? own : addTallies(own, plan.noted.subPlans);
}

/** For a step that runs for each item of a list, its items count, unless it failed before there were any. */
function isOwnRun(plan: KnownPlan, { step, item, state, carried }: StepEntry): boolean {
  if (carried === true) return false;
  if (step.forEach === undefined || item !== undefined) return true;
  return state.status === "failed" && runNamed(plan, { stepId: step.id, item: 0 }) === undefined;
}

function draftsMin({ goal, drafting, noted }: KnownPlan): number {
  const isDrafted = goal.plan === undefined && drafting.number > 0;
  return isDrafted && strategyNamed(noted?.strategy).asksModel ? 1 : 0;
}

function countStep(tally: PlanTally, entry: StepEntry, isFinal: boolean): void {
  const { step, grant, state, failedAttempts } = entry;
  if (state.status !== "succeeded" && state.status !== "failed") {
    tally.toolCalls += failedAttempts.length;
    return;
  }
  // A rejected call was never made.
  const isRejected = state.status === "failed" && state.error.code === "approval_rejected";
  tally.steps += 1;
  tally.toolCalls += isRejected ? state.attempt - 1 : state.attempt;
  if (state.status === "failed") tally.stepsFailed += 1;
  else if (step.tool !== PLAN_RUN && step.tool !== HUMAN_ASK) countMutation(tally, grant);
  if (!isFinal || isRejected) return;
  tally.toolCallsMin += 1;
  if (grant.modelTokens !== undefined && step.tool !== CODE_RUN) tally.modelCallsMin += 1;
}

function countUndoing(tally: PlanTally, { grant, state, failedAttempts }: CompensationEntry): void {
  if (state.status !== "succeeded" && state.status !== "failed") {
    tally.toolCalls += failedAttempts.length;
    return;
  }
  tally.toolCalls += state.attempt;
  if (state.status === "succeeded") countMutation(tally, grant);
}

function countMutation(tally: PlanTally, { effect }: StepEntry["grant"]): void {
  if (effect === "idempotent") tally.mutationsIdempotent += 1;
  if (effect === "once") tally.mutationsOnce += 1;
}

function countApproval(tally: PlanTally, { kind, decided }: Approval): void {
  if (decided === undefined || decided.expired) return;
  tally.decisions += 1;
  if (decided.decision !== "approve" || decided.edits === undefined) return;
  if (kind === "plan") tally.planEdits += 1;
  if (kind === "tool-risk" || kind === "confidence") tally.argumentEdits += 1;
}

/** The time of these steps is spent waiting, or in a sub-plan whose own tools are counted. */
const WAITING = new Set<string>([HUMAN_ASK, FLOW_WAIT, PLAN_RUN]);

/** Counts a finished step under its tool. Steps that a reviewer rejected never called it. */
function countTool(tools: Map<string, ToolTally>, { step, item, state }: StepEntry): void {
  if (state.status !== "succeeded" && state.status !== "failed") return;
  if (WAITING.has(step.tool) || (step.forEach !== undefined && item === undefined)) return;
  const hasFailed = state.status === "failed";
  if (hasFailed && state.error.code === "approval_rejected") return;
  const { durationMs, attempt } = state;
  const one = {
    steps: 1,
    failed: hasFailed ? 1 : 0,
    retries: attempt - 1,
    durationMs,
    longestMs: durationMs,
  };
  addToolTally(tools, { tool: step.tool, ...one });
}
