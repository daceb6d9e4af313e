/** Checks of fallbacks, and of steps that verify others. */
import type { StepId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { quote } from "./describe-value.ts";
import type { IssueCode, IssueList, Saying } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";
import type { StepParts } from "./read-step.ts";
import type { PlacedReference } from "../language/references.ts";

/** Reports a step that verifies itself or a missing step. */
export function checkVerified(parts: StepParts, known: KnownSteps, issues: IssueList): void {
  const { id, verifies } = parts;
  if (verifies === undefined) return;
  if (verifies === id) {
    note(parts, issues, "self_dependency", () => ({
      field: "verifies",
      message: `wanted another step to verify, got the step itself`,
    }));
  } else if (!known.has(verifies)) {
    note(parts, issues, "unknown_verified", () => ({
      field: "verifies",
      message: `wanted ${known.called}, got ${quote(verifies)}${didYouMean(verifies, known.ids())}`,
    }));
  }
}

/** Reports invalid fallbacks and verifications in a whole plan, other than cycles. Takes time linear in the plan. */
export function checkTies(
  parts: readonly StepParts[],
  ids: ReadonlyMap<string, number>,
  issues: IssueList,
): void {
  const primaries = new Map<StepId, StepParts>();
  const verifiers = new Map<StepId, StepParts>();
  for (const one of parts) {
    const { id, fallback, verifies } = one;
    if (verifies !== undefined && id !== undefined) verifiers.set(id, one);
    if (fallback === undefined) continue;
    const first = primaries.get(fallback);
    if (fallback === id || !ids.has(fallback)) {
      note(one, issues, "unknown_fallback", () => ({
        field: "fallback",
        message: `wanted another step of this plan, got ${quote(fallback)}${didYouMean(fallback, ids.keys())}`,
      }));
    } else if (first !== undefined) {
      note(one, issues, "shared_fallback", () => ({
        field: "fallback",
        message: `wanted a step that no other step has as its fallback, got ${quote(fallback)}, which is that of ${quote(String(first.id))}`,
      }));
    } else primaries.set(fallback, one);
  }
  for (const one of parts) checkVerifies(one, { verifiers, primaries, issues });
  checkChains(parts, primaries, issues);
}

type Ties = {
  /** The steps that verify others, by id. */
  readonly verifiers: ReadonlyMap<StepId, StepParts>;
  /** The step that each fallback replaces. */
  readonly primaries: ReadonlyMap<StepId, StepParts>;
  readonly issues: IssueList;
};

/** Reports invalid verifications: the verifying step must not have a fallback, be a fallback, or be verified itself. */
export function checkVerifies(one: StepParts, { verifiers, primaries, issues }: Ties): void {
  const { id, verifies, fallback } = one;
  if (verifies === undefined) return;
  const why = verifiers.has(verifies)
    ? `wanted a step that does not itself verify another, got ${quote(verifies)}`
    : fallback !== undefined
      ? `wanted no fallback for a step that verifies another: its failure is its result`
      : id !== undefined && primaries.has(id)
        ? `wanted a step that verifies another not to be a fallback, got the fallback of ${quote(String(primaries.get(id)?.id))}`
        : undefined;
  if (why !== undefined)
    note(one, issues, "nested_verification", () => ({ field: "verifies", message: why }));
}

function checkChains(
  parts: readonly StepParts[],
  primaries: ReadonlyMap<StepId, StepParts>,
  issues: IssueList,
): void {
  const fallbackOf = new Map(parts.map(({ id, fallback }) => [id, fallback]));
  for (const one of parts) {
    // Follow each chain once, from the step that is not a fallback itself. A chain without such a step is a cycle.
    if (
      one.fallback === undefined ||
      primaries.get(one.fallback) !== one ||
      (one.id !== undefined && primaries.has(one.id))
    )
      continue;
    let length = 0;
    for (let at: StepId | undefined = one.fallback; at !== undefined && length <= parts.length; length++) {
      at = fallbackOf.get(at);
    }
    if (length > LIMITS.fallbacksMax) {
      note(one, issues, "too_many_fallbacks", () => ({
        field: "fallback",
        message: `wanted at most ${LIMITS.fallbacksMax} steps that stand in for one, each for the one before, got ${length}`,
      }));
    }
  }
}

function note({ place }: StepParts, issues: IssueList, code: IssueCode, say: Saying): void {
  issues.addToStep(code, place, say);
}

/** The steps that a step may depend on. */
export type KnownSteps = {
  has(id: string): boolean;
  ids(): Iterable<string>;
  /** How a message refers to one of them. */
  readonly called: string;
};

/** Reports a reference to the step itself, or to a missing step. */
export function checkReference(
  { id, place }: Pick<StepParts, "id" | "place">,
  { field, stepId, text }: Pick<PlacedReference, "field" | "stepId" | "text">,
  { known, issues }: { readonly known: KnownSteps; readonly issues: IssueList },
): void {
  if (stepId === id) {
    issues.addToStep("self_dependency", place, () => ({
      field,
      message: `wanted another step's output, got the step's own: ${quote(text)}`,
    }));
  } else if (!known.has(stepId)) {
    issues.addToStep("dangling_reference", place, () => ({
      field,
      message: `wanted the output of ${known.called}, got ${quote(text)}${didYouMean(stepId, known.ids())}`,
    }));
  }
}
