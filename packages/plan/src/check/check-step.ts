import type { PlanRules } from "./plan-rules.ts";
import type { Issue } from "../events/values.ts";
import { LIMITS } from "../values/limits.ts";
import type { Step } from "../language/plan-language.ts";
import { checkParts } from "./check-parts.ts";
import { type KnownSteps, checkVerifies } from "./check-ties.ts";
import { checkPlan, checkSubPlan } from "./check-plan.ts";
import { quote } from "./describe-value.ts";
import { IssueList } from "./issue-list.ts";
import { readStep, type StepParts } from "./read-step.ts";
import type { StepId } from "../values/ids.ts";
import { isTied } from "../language/wait-graph.ts";
import { noteCycles } from "./check-cycles.ts";

export type DraftSoFar = PlanRules & {
  /** The ids that the draft has planned so far. */
  readonly planned: ReadonlySet<string>;
  /** Steps of earlier drafts whose outputs the draft can use. */
  readonly earlier?: ReadonlySet<string> | undefined;
  /** Its steps and their fallbacks; none when absent. */
  readonly ties?: DraftTies | undefined;
};

export type CheckedStep =
  | { readonly step: Step; readonly issues: readonly [] }
  | { readonly step: undefined; readonly issues: readonly Issue[] };

/**
 * Checks one step of a draft that is still being written: the checks of `checkPlan`, for one step.
 *
 * It may depend only on steps that are already planned or come from an earlier draft, so that cycles are possible only among
 * fallbacks and verifying steps.
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

/** The fallbacks and verifications of a draft so far. */
export type DraftTies = {
  /** The draft's steps, under its own ids. */
  readonly steps: readonly Step[];
  /** By the step that is named as a fallback, the step that names it. */
  readonly fallbacks: ReadonlyMap<StepId, StepId>;
};

const NO_TIES: DraftTies = { steps: [], fallbacks: new Map() };

/**
 * Reports faults in the fallback and verification of a step of an unfinished draft.
 *
 * A fallback is planned after its step: a step planned earlier may have started. Takes time linear in the draft, for tied steps
 * only.
 */
export function checkDraftTies(
  parts: StepParts,
  planned: ReadonlySet<string>,
  { steps, fallbacks }: DraftTies = NO_TIES,
  issues: IssueList,
): void {
  const { id, fallback, place } = parts;
  const isStandIn = id !== undefined && fallbacks.has(id);
  if (!isTied(parts) && !isStandIn) return;
  if (fallback !== undefined && (fallback === id || planned.has(fallback))) {
    issues.addToStep("unknown_fallback", place, () => ({
      field: "fallback",
      message: `wanted a step that is planned after this one, got ${quote(fallback)}`,
    }));
  } else if (fallback !== undefined && fallbacks.has(fallback)) {
    issues.addToStep("shared_fallback", place, () => ({
      field: "fallback",
      message: `wanted a step that no other step has as its fallback, got ${quote(fallback)}, which is that of ${quote(String(fallbacks.get(fallback)))}`,
    }));
  }
  const all = [...steps.map(partsOf), parts];
  const byId = new Map(all.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])));
  const verifiers = new Map([...byId].filter(([, { verifies }]) => verifies !== undefined));
  const primaries = new Map(
    [...fallbacks].flatMap(([standIn, primary]) => {
      const one = byId.get(primary);
      return one === undefined ? [] : [[standIn, one] as const];
    }),
  );
  checkVerifies(parts, { verifiers, primaries, issues });
  const ids = new Map(all.map((one, index) => [String(one.id), index]));
  noteCycles(all, ids, issues);
}

/** The fallbacks that a complete draft names but never plans. */
export function issuesOfTies({ steps }: DraftTies): readonly Issue[] {
  const issues = new IssueList();
  const ids = new Set(steps.map(({ id }) => id));
  for (const step of steps) {
    const { fallback } = step;
    if (fallback === undefined || ids.has(fallback)) continue;
    issues.addToStep("unknown_fallback", partsOf(step).place, () => ({
      field: "fallback",
      message: `wanted a step of this plan, got ${quote(fallback)}, which it does not have`,
    }));
  }
  return issues.toArray();
}

function partsOf(step: Step): StepParts {
  const { id, tool, agent, args, dependsOn, when, forEach, verifies, fallback } = step;
  const place = { stepId: id, path: id };
  return { place, id, tool, agent, args, dependsOn, when, forEach, verifies, fallback };
}
