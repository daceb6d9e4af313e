import {
  dependenciesOf,
  standingOf,
  type Step,
  type StepEntry,
  type StepId,
  stepsToKeep,
} from "@planwright/plan";

export type RevisionDiff = { readonly kept: StepId[]; readonly dropped: StepId[] };

/**
 * What a revision does to the steps that the plan has: those with a result stay, and those that have not ended when
 * the revision repeats them or needs them. All others go.
 *
 * @param revision.steps - Those of the revision, as they belong in the log.
 */
export function revisionDiff(
  earlier: Iterable<StepEntry>,
  { steps, answerFrom }: { readonly steps: readonly Step[]; readonly answerFrom?: StepId },
): RevisionDiff {
  const ordered = Array.from(earlier).sort((left, right) => left.position - right.position);
  const named = steps.flatMap((step) => [step.id, ...dependenciesOf(step)]);
  if (answerFrom !== undefined) named.push(answerFrom);
  const needed = stepsToKeep(new Map(ordered.map((entry) => [entry.step.id, entry])), named);
  const diff: RevisionDiff = { kept: [], dropped: [] };
  for (const entry of ordered) {
    const { id } = entry.step;
    const standing = standingOf(entry);
    if (standing === "met" || (standing === "open" && needed.has(id))) diff.kept.push(id);
    // A cancelled step has gone before.
    else if (entry.state.status !== "cancelled") diff.dropped.push(id);
  }
  return diff;
}
