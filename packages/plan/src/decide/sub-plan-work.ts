/** The dispatcher's work for a step that delegates to a sub-plan, and the event that it records when the sub-plan ends. */
import { recordFault } from "./attempt-fault.ts";
import type { Command, SubPlanCommand, Unstamped, SubPlanSubmission } from "./command.ts";
import { CancelRequested, type GoalSubmitted } from "../events/control-events.ts";
import { StepFailed, StepStarted, StepSucceeded } from "../events/step-events.ts";
import type { PlanTrace } from "../events/values.ts";
import { tallyOf } from "../view/plan-figures.ts";
import { PlanId, type StepId } from "../values/ids.ts";
import type { Json } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { ASKED_BY_DEFAULT, goalOf } from "../language/submission-of.ts";
import { PLAN_RUN } from "../language/owner-tools.ts";
import { writtenTemplates } from "../arguments/own-words.ts";
import { allowedArguments } from "../policy/allowed-arguments.ts";
import { argumentsFrom, provenanceOf } from "../policy/provenance.ts";
import { resolveArguments } from "../arguments/resolve-arguments.ts";
import { firstFailure } from "../machine/ending/shortcomings.ts";
import { sha256 } from "../values/sha256.ts";
import { toUsd } from "../machine/budget/budget-ledger.ts";
import { shareOf } from "../machine/budget/budget-shares.ts";
import type { KnownPlan, StepEntry, StepState } from "../machine/plan-state.ts";
import { itemOf, runOf } from "../machine/step/runs.ts";
import { subPlanOf } from "../machine/sub-plans.ts";

/** Hexadecimal digits of a hash: enough that two sub-plans never get the same id by chance. */
const ID_CHARS = 32;
const MESSAGE_CHARS_MAX = 4_000;

type Attempt = { readonly stepId: StepId; readonly item: number; readonly attempt: number };

/** The nesting depth of a plan: 0 when it is not a sub-plan. */
export function depthOf({ goal }: Pick<KnownPlan, "goal">): number {
  return goal.parent?.depth ?? 0;
}

/** The actor that pauses a paused plan's sub-plans. A sub-plan that another actor paused does not resume with its parent. */
export function pausedWith(parent: PlanId): string {
  return `${PLAN_RUN} of ${parent}`;
}

/** The id of the plan that an attempt of a step delegates to. It is deterministic: repeated calls return the same id. */
export function subPlanId(planId: PlanId, { stepId, item, attempt }: Attempt): PlanId {
  return PlanId.parse(sha256(JSON.stringify([planId, stepId, item, attempt])).slice(0, ID_CHARS));
}

/** Starts the attempt: the log names the sub-plan before it is submitted. Undefined if it has started. */
export function runSubPlan(
  plan: KnownPlan,
  entry: StepEntry,
  { attempt, startedAt }: Extract<StepState, { status: "running" }>,
): Command | undefined {
  if (startedAt !== undefined) return undefined;
  const { planId } = plan;
  const { id: stepId } = entry.step;
  const item = itemOf(entry);
  const depth = depthOf(plan) + 1;
  if (depth > LIMITS.subPlanDepthMax) {
    const message = `${PLAN_RUN} may stand at most ${LIMITS.subPlanDepthMax} plans below the one that was submitted`;
    return recordFault(plan, entry, attempt, { code: "sub_plan_too_deep", message });
  }
  const resolved = allowedArguments(plan, entry);
  if ("fault" in resolved) return recordFault(plan, entry, attempt, resolved.fault);
  const subPlan = subPlanId(planId, { stepId, item, attempt });
  const data = { stepId, item, attempt, workerId: "planner", delivery: 1, subPlan };
  return { kind: "record", event: StepStarted.unstamped(planId, data) };
}

/** Submits a sub-plan, and stops it once its step is no longer needed. */
export function tellSubPlan(plan: KnownPlan, run: Attempt): SubPlanCommand | undefined {
  const subPlan = subPlanOf(plan, run);
  const entry = runOf(plan, run);
  if (subPlan === undefined || entry === undefined) return undefined;
  const resolved = entry.approved ?? resolveArguments(plan, entry.step, entry.item?.value);
  const { planId, stop } = subPlan;
  const { step } = entry;
  const goal = step.description === "" ? `Step ${step.id} of: ${plan.goal.goal}` : step.description;
  const submission: SubPlanSubmission = {
    planId,
    ...("fault" in resolved ? { args: {}, fault: resolved.fault } : { args: resolved.args }),
    data: inherited(plan, run, { entry, planId, goal: goal.slice(0, MESSAGE_CHARS_MAX) }),
  };
  if (stop === undefined) return { kind: "sub-plan", submission };
  const request = { reason: stop.slice(0, 2_000), by: `plan ${plan.planId}` };
  return { kind: "sub-plan", submission, control: CancelRequested.unstamped(planId, request) };
}

/** A sub-plan inherits its parent's permissions, and gets the part of the parent's budget that was reserved for it. */
function inherited(
  plan: KnownPlan,
  { stepId, item, attempt }: Attempt,
  {
    entry,
    planId: subPlan,
    goal,
  }: { readonly entry: StepEntry; readonly planId: PlanId; readonly goal: string },
): SubPlanSubmission["data"] {
  const { strategy, constraints, tools, sources, approval, priority, maxReplans, trace } = plan.goal;
  const { tenant, unapprovedStepsMax, policy, egress, fusion, submittedBy } = plan.goal;
  const step = plan.steps.get(stepId);
  const parent = { planId: plan.planId, stepId, item, attempt, depth: depthOf(plan) + 1 };
  const asked = {
    ...ASKED_BY_DEFAULT,
    goal,
    constraints,
    tools,
    data: sources,
    approval,
    priority,
    maxReplans,
    strategy: strategy === "hierarchical" ? strategy : "auto",
  } as const;
  const data = goalOf(asked, {
    tenant,
    unapprovedStepsMax,
    policy,
    egress,
    fusion,
    submittedBy,
    grants: {},
    bodyHash: "",
    goalTemplate: writtenTemplates(plan, entry)?.["goal"],
    derivedFrom: step && argumentsFrom(provenanceOf(plan, step)).argumentsFrom,
    budget: budgetOf(plan, { stepId, item, attempt }),
    trace: traceOf(trace, subPlan),
  });
  return { ...data, parent };
}

/** The sub-plan belongs to the parent's trace; its span is a child of the parent's. */
function traceOf({ traceId, spanId, sampled }: PlanTrace, subPlan: PlanId): PlanTrace {
  return { traceId, spanId: sha256(subPlan).slice(0, 16), parentSpanId: spanId, sampled };
}

function budgetOf({ budget }: KnownPlan, run: Attempt): GoalSubmitted["data"]["budget"] {
  const share = budget === undefined ? undefined : shareOf(budget, run);
  if (budget === undefined || share === undefined) return undefined;
  const { tokens, nanoUsd, steps } = share;
  const { nanoUsdPerToken } = budget;
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(nanoUsd === undefined ? {} : { usd: toUsd(nanoUsd) }),
    ...(steps === undefined ? {} : { steps }),
    ...(nanoUsdPerToken === undefined
      ? {}
      : { usdPerToken: { input: toUsd(nanoUsdPerToken.input), output: toUsd(nanoUsdPerToken.output) } }),
    onExhausted: "end",
  };
}

/** The parent's event for the end of a sub-plan: the outcome of the delegating step. Undefined for other plans. */
export function endOfSubPlan(plan: KnownPlan): Unstamped<StepSucceeded | StepFailed> | undefined {
  const { goal, conclusion, planId, submittedAt, updatedAt, usage, budget } = plan;
  const { parent } = goal;
  if (parent === undefined || conclusion === undefined) return undefined;
  const { stepId, item, attempt } = parent;
  const forfeited = budget?.forfeited;
  const ended = {
    stepId,
    item,
    attempt,
    workerId: `plan ${planId}`,
    startedAt: submittedAt,
    durationMs: Math.max(0, Date.parse(updatedAt) - Date.parse(submittedAt)),
    usage,
    ...(forfeited === undefined
      ? {}
      : { forfeited: { tokens: forfeited.tokens, usd: toUsd(forfeited.nanoUsd) } }),
    stepsSent: budget?.stepsSent ?? 0,
    tally: tallyOf(plan),
  };
  const { outcome, reason, answer } = conclusion;
  if ((outcome === "succeeded" || outcome === "partial") && answer !== undefined) {
    const { text, status, data } = answer;
    const value: Json = { text, status, ...(data === undefined ? {} : { data }), planId, outcome };
    const part = outcome === "partial" ? { partial: reason.slice(0, MESSAGE_CHARS_MAX) } : {};
    return StepSucceeded.unstamped(parent.planId, { ...ended, output: { value }, artifacts: [], ...part });
  }
  const code = outcome === "cancelled" ? "sub_plan_cancelled" : "sub_plan_failed";
  const message = `sub-plan ${planId} ${outcome === "cancelled" ? "was cancelled" : "failed"}: ${reason}`;
  const error = { code, message: message.slice(0, MESSAGE_CHARS_MAX), ...leafOf(plan) };
  return StepFailed.unstamped(parent.planId, { ...ended, error, retryable: outcome === "failed" });
}

/** The first step of the plan that failed permanently, or the step that failed in its sub-plan. */
function leafOf(plan: KnownPlan): Pick<StepFailed["data"]["error"], "leaf"> {
  const { planId, conclusion } = plan;
  const failed = conclusion?.outcome === "failed" ? firstFailure(plan) : undefined;
  if (failed?.state.status !== "failed") return {};
  const { message, leaf } = failed.state.error;
  const path = [failed.step.id, ...(leaf?.path ?? [])].slice(0, LIMITS.subPlanDepthMax + 1);
  return {
    leaf: {
      planId: leaf?.planId ?? planId,
      path,
      message: leaf?.message ?? message.slice(0, MESSAGE_CHARS_MAX),
    },
  };
}
