import type { Accepted, GoalRequest, Submission, Json, JsonObject, Strategy } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import type { KeptDraft } from "../submit/use-draft.ts";
import { STRATEGIES } from "../submit/example-goals.ts";
import { NO_OPTIONS, type Options, RISKS } from "../submit/request-of.ts";
import { RERUN_OF } from "./rerun-words.ts";

/** The plan to edit and run again. */
export type Origin = { readonly planId: string; readonly submission: Submission };

/** The form as submitted; its edits are kept separate from those of other plans. */
export function draftOf({ planId, submission }: Origin): KeptDraft {
  return { key: `planwright.draft.${planId}`, initial: formOf(submission) };
}

type Submitting = {
  /** Adds the fields that the form does not have, from the first run. */
  readonly complete: (request: GoalRequest) => GoalRequest;
  readonly send: (request: GoalRequest, idempotencyKey: string, signal: AbortSignal) => Promise<Accepted>;
};

/** How the form is submitted: as a new goal, or as a re-run of a plan. */
export function useOrigin(origin: Origin | undefined): Submitting {
  const { gateway } = useServices();
  if (origin === undefined) return { complete: (request) => request, send: gateway.submit };
  const { planId, submission } = origin;
  return {
    complete: (request) => editedSubmission(submission, request),
    send: (request, key, signal) => gateway.rerun(planId, editsBetween(submission, request), key, signal),
  };
}

/** The contents of the form; the same form as for a new goal. */
type FilledForm = { readonly goal: string; readonly strategy: Strategy; readonly options: Options };

/** The submission's fields that the form has; all others come from the first run. */
const FIELDS = [
  "goal",
  "strategy",
  "constraints",
  "tools",
  "data",
  "input",
  "approval",
  "budget",
  "planSize",
  "requireSources",
  "priority",
  "plan",
] as const;

/** The form of a re-run: filled with the submission, and read back as edits. */
export function formOf(submission: Submission): FilledForm {
  const {
    goal,
    constraints = [],
    tools = [],
    data = [],
    input,
    approval = {},
    budget = {},
    planSize = {},
    requireSources = false,
    priority = NO_OPTIONS.priority,
    plan,
  } = submission;
  const limit = (value: unknown): string => (typeof value === "number" ? String(value) : "");
  return {
    goal,
    // `summarize` is `auto` with a text.
    strategy: STRATEGIES.find(({ value }) => value === submission.strategy)?.value ?? "auto",
    options: {
      ...NO_OPTIONS,
      approvePlan: approval["plan"] === true,
      risk: RISKS.find((risk) => risk === approval["risk"]) ?? NO_OPTIONS.risk,
      usd: limit(budget["usd"]),
      tokens: limit(budget["tokens"]),
      seconds: limit(budget["seconds"]),
      stepsMin: limit(planSize.min),
      stepsMax: limit(planSize.max),
      requireSources,
      priority,
      constraints: constraints.join("\n"),
      data,
      tools,
      text: input === undefined ? undefined : { name: RERUN_OF.theSubmittedText, text: input.text },
      plan: plan === undefined ? "" : JSON.stringify(plan, null, 2),
    },
  };
}

/** The whole submission of a re-run with this form: fields that the form does not have stay. */
export function editedSubmission(origin: Submission, request: GoalRequest): Submission {
  const { approval, budget, input, review, ...rest } = origin;
  const kept = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !FIELDS.some((field) => field === name)),
  );
  const limits = definedOf({
    ...budget,
    usd: undefined,
    tokens: undefined,
    seconds: undefined,
    ...request.budget,
  });
  return {
    ...kept,
    ...request,
    // A predefined plan has no draft to review.
    ...(review === undefined
      ? {}
      : { review: request.plan === undefined ? review : { ...review, plan: false } }),
    approval: { ...approval, plan: false, risk: NO_OPTIONS.risk, ...request.approval },
    ...(Object.keys(limits).some((name) => name !== "onExhausted") ? { budget: limits } : {}),
    ...(request.input === undefined ? {} : { input: { ...input, ...request.input } }),
  };
}

/** The differences between two submissions: the second's fields, and `null` for fields that it lacks. */
export function editsBetween(origin: Submission, edited: Submission): JsonObject {
  const [before, after] = [asJson(origin), asJson(edited)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name] ?? null]),
  );
}

function definedOf(fields: Readonly<Record<string, Json | undefined>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** In the form sent: without undefined fields. */
function asJson(submission: Submission): JsonObject {
  return JSON.parse(JSON.stringify(submission)) as JsonObject;
}
