import type { StepEntry, StepId } from "@planwright/plan";

/** What a revision does to the steps that the plan has: those with a result stay, the others go. */
export function revisionDiff(earlier: Iterable<StepEntry>): { kept: StepId[]; dropped: StepId[] } {
  const diff: { kept: StepId[]; dropped: StepId[] } = { kept: [], dropped: [] };
  const ordered = Array.from(earlier).sort((left, right) => left.position - right.position);
  for (const { step, state } of ordered) {
    if (state.status === "succeeded") diff.kept.push(step.id);
    // A cancelled step has gone before.
    else if (state.status !== "cancelled") diff.dropped.push(step.id);
  }
  return diff;
}
