import type { PlanRules, StepsBeside } from "./plan-rules.ts";
import type { Issue } from "../events/values.ts";
import { StepId } from "../values/ids.ts";
import { isObject, isJsonObject, type Json } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { planFieldFor } from "../draft/field-names.ts";
import { mendPlan } from "../draft/mend-step.ts";
import { PlanDocument, type Step } from "../language/plan-language.ts";
import { noteCycles } from "./check-cycles.ts";
import { checkParts } from "./check-parts.ts";
import { type KnownSteps, checkTies } from "./check-ties.ts";
import { describeValue, quote } from "./describe-value.ts";
import { IssueList } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";
import { noteShape, readStep, type StepParts } from "./read-step.ts";
import { scanValue } from "./scan-value.ts";
import { PLAN_RUN } from "../language/tool-names.ts";
import { isReferenceObject } from "../language/references.ts";

const NONE: StepsBeside = { usable: new Set(), taken: new Set() };

const MENDS_MAX = 100;

const PlanHead = PlanDocument.omit({ steps: true });

export type CheckedPlan =
  | {
      readonly plan: PlanDocument;
      readonly issues: readonly [];
      /** Descriptions, such as `read the field "depends_on" as "dependsOn"`; the first hundred. */
      readonly mends: readonly string[];
    }
  | { readonly plan: undefined; readonly issues: readonly Issue[] };

/**
 * Checks a whole plan and reports everything that is wrong with it, up to 200 issues.
 *
 * Linear in the plan's size, whatever it contains. An issue's field is a path inside its step (`args.url`, `dependsOn[0]`), or
 * from the plan's root when the issue concerns the plan or its shape (`answerFrom`, `steps[2].dependsOn`).
 *
 * Unambiguous slips, such as `depends_on` for `dependsOn`, are mended first.
 *
 * @param written - A decoded JSON value.
 * @returns The plan with its defaults filled in and the list of mends, or the issues.
 */
export function checkPlan(written: unknown, rules: PlanRules): CheckedPlan {
  const issues = new IssueList();
  const mends: string[] = [];
  const note = (mend: string): void => void (mends.length < MENDS_MAX && mends.push(mend));
  const input = mendPlan(written, { tools: rules.tools, isDraft: false, note });
  if (!isObject(input)) {
    issues.addToPlan("malformed", () => ({
      field: "",
      message: `wanted an object with "steps", got ${describeValue(input)}`,
    }));
    return { plan: undefined, issues: issues.toArray() };
  }
  const { steps: list, ...rest } = input;
  const head = checkHead(rest, issues);
  const read = readSteps(list, rules, issues);
  const parts = read.map((one) => one.parts);
  const { usable, taken } = rules.beside ?? NONE;
  const ids = noteDuplicates(parts, taken, issues);
  const known: KnownSteps = {
    has: (id) => ids.has(id) || usable.has(id),
    ids: () => new Set(ids.keys()).union(usable).keys(),
    called: "another step of this plan",
  };
  for (const one of parts) {
    checkParts(one, rules, known, issues);
    checkSubPlan(one, rules, issues, checkPlan);
  }
  checkTies(parts, ids, issues);
  noteCycles(parts, ids, issues);
  if (read.length > 0) checkAnswer(input["answerFrom"], known, issues);
  const steps: Step[] = read.flatMap(({ step }) => (step === undefined ? [] : [step]));
  if (head === undefined || issues.count > 0) return { plan: undefined, issues: issues.toArray() };
  return { plan: { ...head, steps }, issues: [], mends };
}

/** Everything in a plan except its steps. */
function checkHead(
  rest: Record<string, unknown>,
  issues: IssueList,
): Omit<PlanDocument, "steps"> | undefined {
  scanValue(rest, 0, (code, say) => issues.addToPlan(code, say));
  const head = PlanHead.safeParse(rest);
  if (!head.success) {
    const known = { names: Object.keys(PlanDocument.shape), fieldFor: planFieldFor };
    noteShape(head.error, rest, known, (code, say) => issues.addToPlan(code, say));
  }
  return head.data;
}

function readSteps(list: unknown, { limits }: PlanRules, issues: IssueList) {
  const { stepsMax } = limits ?? LIMITS;
  if (!Array.isArray(list) || list.length === 0) {
    issues.addToPlan("malformed", () => ({
      field: "steps",
      message: `wanted a list of at least one step, got ${describeValue(list)}`,
    }));
    return [];
  }
  if (list.length > stepsMax) {
    issues.addToPlan("too_many_steps", () => ({
      field: "steps",
      message: `wanted at most ${stepsMax} steps, got ${list.length}`,
    }));
    return [];
  }
  // Read by index: a list from a caller in the same process may be sparse.
  return Array.from(list, (step: unknown, index) => readStep(step, index, issues));
}

/** The position of each readable id; for a repeated id, its first position. */
function noteDuplicates(
  parts: readonly StepParts[],
  taken: ReadonlySet<string>,
  issues: IssueList,
): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const [index, { id, place }] of parts.entries()) {
    if (id === undefined) continue;
    if (taken.has(id)) {
      issues.addToStep("duplicate_id", place, () => ({
        field: "id",
        message: `wanted an id that no earlier step of the plan has, got ${quote(id)}`,
      }));
    }
    const first = ids.get(id);
    if (first === undefined) ids.set(id, index);
    else {
      issues.addToStep("duplicate_id", place, () => ({
        field: "id",
        message: `wanted an id that no other step has, got ${quote(id)} at steps[${first}] and at steps[${index}]`,
      }));
    }
  }
  return ids;
}

function checkAnswer(answerFrom: unknown, known: KnownSteps, issues: IssueList): void {
  const { success, data } = StepId.safeParse(answerFrom);
  if (!success || known.has(data)) return;
  issues.addToPlan("unknown_answer_step", () => ({
    field: "answerFrom",
    message: `wanted a step of this plan, got ${quote(data)}${didYouMean(data, known.ids())}`,
  }));
}

/**
 * Reports faults in a step that delegates to a sub-plan: its nesting depth, and the plan in its arguments.
 *
 * @param check - `checkPlan`, for the inner plan.
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
  // A plan from another step's output is checked once it is available.
  if (plan === undefined || !isJsonObject(plan) || isReferenceObject(plan)) return;
  for (const { stepId, field, message } of check(plan, { ...rules, depth, beside: undefined }).issues) {
    const within = stepId === undefined ? "" : `step ${stepId}: `;
    issues.addToStep("invalid_sub_plan", place, () => ({
      field: field === "" ? "args.plan" : `args.plan.${field}`,
      message: `${within}${message}`,
    }));
  }
}
