import type { PlanRules } from "./plan-rules.ts";
import type { Issue } from "../events/values.ts";
import { LIMITS } from "../values/limits.ts";
import type { Step } from "../language/plan-language.ts";
import { checkDraftTies, type DraftTies } from "./check-draft-ties.ts";
import { checkParts } from "./check-parts.ts";
import type { KnownSteps } from "./check-reference.ts";
import { checkPlan } from "./check-plan.ts";
import { checkSubPlan } from "./check-sub-plan.ts";
import { quote } from "./describe-value.ts";
import { IssueList } from "./issue-list.ts";
import { readStep } from "./read-step.ts";

export type DraftSoFar = PlanRules & {
  /** The ids that the draft has planned so far. */
  readonly planned: ReadonlySet<string>;
  /** Steps of earlier drafts whose outputs the draft may use. */
  readonly earlier?: ReadonlySet<string> | undefined;
  /** Its steps, and which of them stand in for others; none when absent. */
  readonly ties?: DraftTies | undefined;
};

export type CheckedStep =
  | { readonly step: Step; readonly issues: readonly [] }
  | { readonly step: undefined; readonly issues: readonly Issue[] };

/**
 * Checks one step of a draft that is still being written: what `checkPlan` checks, for one step.
 *
 * It may depend only on steps that are planned already or come from an earlier draft, so that a cycle can arise
 * only among steps that stand in for others or verify them.
 *
 * @param input - A decoded JSON value, as `normalizeDraftStep` returns it.
 */
export function checkStep(input: unknown, draft: DraftSoFar): CheckedStep {
  const issues = new IssueList();
  const { planned, earlier } = draft;
  const { stepsMax } = draft.limits ?? LIMITS;
  if (planned.size >= stepsMax) {
    issues.addToPlan("too_many_steps", () => ({
      field: "steps",
      message: `wanted at most ${stepsMax} steps, got more`,
    }));
    return { step: undefined, issues: issues.toArray() };
  }
  const { step, parts } = readStep(input, planned.size, issues);
  const { id, place } = parts;
  if (id !== undefined && planned.has(id)) {
    issues.addToStep("duplicate_id", place, () => ({
      field: "id",
      message: `wanted an id that no other step has, got ${quote(id)} again`,
    }));
  }
  const known: KnownSteps = {
    has: (other) => planned.has(other) || earlier?.has(other) === true,
    ids: () => [...planned, ...(earlier ?? [])],
    called: "a step planned before this one",
  };
  checkParts(parts, draft, known, issues);
  checkSubPlan(parts, draft, issues, checkPlan);
  checkDraftTies(parts, planned, draft.ties, issues);
  if (step === undefined || issues.count > 0) return { step: undefined, issues: issues.toArray() };
  return { step, issues: [] };
}
