import type { PlanRules } from "./plan-rules.ts";
import { isJsonObject, type Json } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { PLAN_RUN } from "../language/tool-names.ts";
import { isReferenceObject } from "../language/references.ts";
import type { CheckedPlan } from "./check-plan.ts";
import type { IssueList } from "./issue-list.ts";
import type { StepParts } from "./read-step.ts";

/**
 * Notes what is wrong with a step that hands its work to a sub-plan: how deep it stands, and the plan that it brings.
 *
 * @param check - `checkPlan`, for the plan inside.
 */
export function checkSubPlan(
  { tool, args, place }: StepParts,
  rules: PlanRules,
  issues: IssueList,
  check: (plan: Json, rules: PlanRules) => CheckedPlan,
): void {
  if (tool !== PLAN_RUN) return;
  const depth = (rules.depth ?? 0) + 1;
  const { subPlanDepthMax } = rules.limits ?? LIMITS;
  if (depth > subPlanDepthMax) {
    issues.addToStep("sub_plan_too_deep", place, () => ({
      field: "tool",
      message: `wanted sub-plans at most ${subPlanDepthMax} below the plan that is submitted, got one at ${depth}`,
    }));
    return;
  }
  if (args === undefined) return;
  const { goal, plan } = args;
  if (goal === undefined && plan === undefined) {
    issues.addToStep("invalid_arguments", place, () => ({
      field: "args",
      message: `wanted a goal or a plan for ${PLAN_RUN}, got neither`,
    }));
  }
  // One that comes out of another step is checked when it is there.
  if (plan === undefined || !isJsonObject(plan) || isReferenceObject(plan)) return;
  for (const { stepId, field, message } of check(plan, { ...rules, depth, beside: undefined }).issues) {
    const within = stepId === undefined ? "" : `step ${stepId}: `;
    issues.addToStep("invalid_sub_plan", place, () => ({
      field: field === "" ? "args.plan" : `args.plan.${field}`,
      message: `${within}${message}`,
    }));
  }
}
