/** What a plan did, counted: by its own steps, and by those of its sub-plans. */
import type { ToolTally, PlanTally } from "../events/plan-tally.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import { HUMAN_ASK, PLAN_RUN } from "../language/tool-names.ts";
import { countTool } from "./tool-tally.ts";
import type { Approval, CompensationEntry, KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { onAnswerSteps, strategyNamed } from "../machine/drafting/strategies.ts";
import { allRuns, runNamed } from "../machine/step/runs.ts";
import { toolTallies, NOTHING_COUNTED, addTallies } from "../values/add-tallies.ts";

/** Counts a plan that is over, or about to be. */
export function tallyOf(plan: KnownPlan): PlanTally {
  const counts = { ...NOTHING_COUNTED };
  const tools = new Map<string, ToolTally>();
  const { steps: final } = onAnswerSteps(plan);
  for (const entry of allRuns(plan)) {
    if (!isOwnRun(plan, entry)) continue;
    // Of a step that is replaced, its items are not marked.
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

/** Of a step that runs for each of a list its items count, unless it failed before there were any. */
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
