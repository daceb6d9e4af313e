/** Converts between a submission and the goal in the log, in the same way for every submission, re-run, fork and sub-plan. */
import { canonicalJson } from "../values/canonical-json.ts";
import { directPlan } from "./direct-plan.ts";
import type { GoalSubmitted } from "../events/control-events.ts";
import { definedOnly } from "../values/defined-only.ts";
import type { JsonObject } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { PlanDocument } from "./plan-language.ts";
import { Submission } from "./submission.ts";

type Goal = GoalSubmitted["data"];

/** The submitted fields, except those that are checked or priced before they are stored. */
export type Asked = Omit<Submission, "plan" | "budget">;

/** Fields that no submission has: the plan's tenant, its permissions, and its origin. */
export type GoalOrigin = Pick<Goal, "tenant" | "grants" | "egress" | "bodyHash" | "trace"> &
  Partial<Omit<Goal, keyof Asked>>;

/** The fields of a submission that names only its goal. */
export const ASKED_BY_DEFAULT: Asked = Submission.parse({ goal: "default" });

/** Returns the goal that the log stores for a submission. Empty fields are left out. */
export function goalOf(
  { data: sources, input, learn, startAt, requireSources, ...same }: Asked,
  origin: GoalOrigin,
): Goal {
  return definedOnly<Goal>({
    ...same,
    sources,
    learn: learn ? undefined : false,
    requireSources: requireSources || undefined,
    startAt: startAt === undefined ? undefined : new Date(startAt).toISOString(),
    inputCut: input === undefined ? undefined : { chunkChars: input.chunkChars, groupSize: input.groupSize },
    unapprovedStepsMax: LIMITS.unapprovedStepsMax,
    ...origin,
  });
}

/** Fields whose value in the log differs from the submitted one, or that must not be repeated. */
const CONVERTED: ReadonlySet<string> = new Set(["plan", "data", "input", "budget", "startAt"]);

/**
 * Returns the body of `POST /v1/plans` that submits the same plan again. Fields that only concern the first run are left out: its
 * start time, its parent and the plans it learned from.
 *
 * A plan derived from the submission (`direct`, `summarize`) or drafted by a model is not part of it. The plan of a fork is: all
 * of its steps, including those carried over.
 */
export function submissionOf(goal: Goal): JsonObject {
  const stored: Readonly<Record<string, unknown>> = goal;
  const same = Object.keys(Submission.shape).filter((name) => !CONVERTED.has(name));
  const { sources: data, budget, review } = goal;
  const text = inputText(goal);
  const plan = text === undefined ? submittedPlan(goal) : undefined;
  const fields = {
    ...Object.fromEntries(same.map((name) => [name, stored[name]])),
    data,
    // A predefined plan has no draft to review; only a fork's origin may have had one.
    review: plan === undefined || review === undefined ? review : { ...review, plan: false },
    budget: budget === undefined ? undefined : { ...budget, usdPerToken: undefined },
    input: text === undefined ? undefined : { ...goal.inputCut, text },
    plan,
  };
  // Everything in it was read from the log, or sent, as JSON.
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}

/**
 * Applies the edits of a re-run: each field replaces the field of that name, and `null` removes it.
 *
 * A new plan replaces the text that the old plan was made from.
 */
export function editSubmission(submission: JsonObject, edits: JsonObject): JsonObject {
  const { input, ...rest } = submission;
  const before = input === undefined || (edits["plan"] ?? undefined) !== undefined ? rest : submission;
  return Object.fromEntries(Object.entries({ ...before, ...edits }).filter(([, value]) => value !== null));
}

/** The submitted plan; undefined if the goal is planned, or the plan is derived from it. */
function submittedPlan({ plan, carried = [], goal, constraints, strategy }: Goal): PlanDocument | undefined {
  if (plan === undefined) return undefined;
  if (carried.length > 0) return { ...plan, steps: [...carried.map(({ step }) => step), ...plan.steps] };
  if (strategy !== "direct") return plan;
  const derived = PlanDocument.parse(directPlan({ goal, constraints }));
  return canonicalJson(derived) === canonicalJson(plan) ? undefined : plan;
}

/** The text that a `summarize` plan reads, reassembled from its parts. */
function inputText({ plan, inputCut }: Goal): string | undefined {
  if (inputCut === undefined || plan === undefined) return undefined;
  const parts = plan.steps.flatMap(({ args }) =>
    typeof args["context"] === "string" ? args["context"] : [],
  );
  return parts.join("");
}
