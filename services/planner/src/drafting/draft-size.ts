/** How many steps a draft may have, by the submission's `planSize`. */
import {
  type Issue,
  type PlanSize,
  sizeIssueOf,
  standingOf,
  type StepEntry,
  type StepId,
} from "@planwright/plan";

export type DraftSize = {
  readonly bounds: PlanSize;
  /** Steps that have succeeded and count towards the bounds. */
  readonly done: ReadonlySet<StepId>;
};

/** The extent of a draft: a whole plan, a part of one, or neither, so that it may have any number of steps. */
export type DraftExtent = "plan" | "part" | "unsized";

/**
 * Returns the bounds of a draft; undefined when it may have any number of steps.
 *
 * A first draft must keep both bounds; a wave, which is only part of a plan, the upper one. A revision must keep the upper bound
 * for the whole plan: the steps that have succeeded plus those of the revision.
 */
export function draftSizeOf({
  planSize,
  extent,
  isRevision,
  earlier,
}: {
  readonly planSize: PlanSize | undefined;
  readonly extent: DraftExtent;
  readonly isRevision: boolean;
  readonly earlier: readonly StepEntry[];
}): DraftSize | undefined {
  if (planSize === undefined || extent === "unsized") return undefined;
  const { min, max } = planSize;
  if (!isRevision && extent === "plan" && min !== undefined) return { bounds: planSize, done: new Set() };
  if (max === undefined) return undefined;
  const done = isRevision ? earlier.filter((entry) => standingOf(entry) === "met") : [];
  return { bounds: { max }, done: new Set(done.map(({ step }) => step.id)) };
}

/** Returns the bounds as given to the model: for the steps that it writes. */
export function boundsForModel({ bounds, done }: DraftSize): PlanSize {
  return bounds.max === undefined ? bounds : { ...bounds, max: Math.max(0, bounds.max - done.size) };
}

/** Returns the issue of a draft with too many or too few steps. */
export function sizeIssuesOf(
  size: DraftSize | undefined,
  steps: readonly { readonly id: StepId }[],
): Issue[] {
  if (size === undefined) return [];
  const ids = new Set(steps.map(({ id }) => id));
  const issue = sizeIssueOf(size.done.union(ids).size, size.bounds);
  return issue === undefined ? [] : [issue];
}
