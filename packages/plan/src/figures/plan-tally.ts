/** What a plan did, counted: by its own steps, and by those of its sub-plans. */
import { z } from "zod";
import { CODE_RUN } from "../arguments/code-run.ts";
import { HUMAN_ASK, PLAN_RUN } from "../language/owner-tools.ts";
import { addToolTallies, countTool, ToolTally, toolTallies } from "./tool-tally.ts";
import type { Approval, CompensationEntry, KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { allRuns, runNamed } from "../machine/runs.ts";
import { bestPath } from "../tree-search/search-tree.ts";

const Count = z.int().nonnegative();

const Counts = z.object({
  /** Steps that succeeded or failed for good, those that a revision replaced included; each item of a list is one. */
  steps: Count,
  stepsFailed: Count,
  /** Revisions of what had begun to run: neither a draft that is improved before that, nor the next wave. */
  replans: Count,
  /** What people have decided. */
  decisions: Count,
  /** Whole plans that somebody changed before they ran, and steps whose arguments somebody changed. */
  planEdits: Count,
  argumentEdits: Count,
  /** Steps, and what undid steps, that changed something and succeeded: however many attempts it took, once. */
  mutationsIdempotent: Count,
  mutationsOnce: Count,
  /** Attempts of steps and of what undoes them. */
  toolCalls: Count,
  /** One call for each step of the final plan that ran. */
  toolCallsMin: Count,
  /** One for each step of the final plan that calls a model and ran, one for the draft, one for the join. */
  modelCallsMin: Count,
});

export const PlanTally = z.object({
  ...Counts.shape,
  /** By tool, in the order of their names; absent when no step called a tool, and in older logs. */
  tools: z.array(ToolTally).optional(),
});
export type PlanTally = z.infer<typeof PlanTally>;

const NOTHING: z.infer<typeof Counts> = {
  steps: 0,
  stepsFailed: 0,
  replans: 0,
  decisions: 0,
  planEdits: 0,
  argumentEdits: 0,
  mutationsIdempotent: 0,
  mutationsOnce: 0,
  toolCalls: 0,
  toolCallsMin: 0,
  modelCallsMin: 0,
};

/** Counts a plan that is over, or about to be. */
export function tallyOf(plan: KnownPlan): PlanTally {
  const counts = { ...NOTHING };
  const tools = new Map<string, ToolTally>();
  const isFinal = finalSteps(plan);
  for (const entry of allRuns(plan)) {
    if (!isOwnRun(plan, entry)) continue;
    countStep(counts, entry, isFinal(entry));
    countTool(tools, entry);
  }
  for (const entry of plan.compensations ?? []) countUndoing(counts, entry);
  for (const approval of plan.approvals.values()) countApproval(counts, approval);
  counts.replans = plan.revisions.filter(({ cause }) => cause !== "wave" && cause !== "critique").length;
  counts.modelCallsMin += draftsMin(plan) + (plan.joining.number > 0 ? 1 : 0);
  const own: PlanTally = { ...counts, ...toolTallies(tools) };
  return plan.noted?.subPlans === undefined ? own : addTallies(own, plan.noted.subPlans);
}

export function addTallies(left: PlanTally, right: PlanTally): PlanTally {
  const sum = { ...left };
  for (const name of Counts.keyof().options) sum[name] += right[name];
  return { ...sum, ...addToolTallies(left.tools, right.tools) };
}

/** A sub-plan that came to nothing was not needed. */
export function withoutMinimum(tally: PlanTally): PlanTally {
  return { ...tally, toolCallsMin: 0, modelCallsMin: 0 };
}

/** A search tries out much of which only the best path is the plan. */
function finalSteps({ search, steps }: KnownPlan): (entry: StepEntry) => boolean {
  // Of a step that is replaced, its items are not marked.
  if (search === undefined) return ({ step }) => steps.get(step.id)?.replaced !== true;
  const path = new Set<string>(bestPath(search.tree));
  return ({ step }) => path.has(step.id);
}

/** Of a step that runs for each of a list its items count, unless it failed before there were any. */
function isOwnRun(plan: KnownPlan, { step, item, state, carried }: StepEntry): boolean {
  if (carried === true) return false;
  if (step.forEach === undefined || item !== undefined) return true;
  return state.status === "failed" && runNamed(plan, { stepId: step.id, item: 0 }) === undefined;
}

/** A submitted plan needs no draft, and the plan of one call is written without a model. */
function draftsMin({ goal, drafting, noted }: KnownPlan): number {
  return goal.plan !== undefined || drafting.number === 0 || noted?.strategy === "direct" ? 0 : 1;
}

function countStep(tally: PlanTally, entry: StepEntry, isFinal: boolean): void {
  const { step, grant, state, failedAttempts } = entry;
  if (state.status !== "succeeded" && state.status !== "failed") {
    tally.toolCalls += failedAttempts.length;
    return;
  }
  // What a person rejected was never called.
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
