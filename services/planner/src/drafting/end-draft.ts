/** How a draft ends in its plan's log. */
import {
  dependenciesOf,
  type Forfeit,
  type KnownPlan,
  standingOf,
  type Step,
  type StepEntry,
  type StepId,
  stepsToKeep,
  type Usage,
  type Issue,
} from "@planwright/plan";
import type { PlannedStep } from "./draft-builder.ts";
import type { DraftLog } from "./draft-log.ts";
import type { CompleteDraft, WrittenDraft } from "./finish-draft.ts";

type Used = { readonly usage: Usage; readonly forfeited?: Forfeit };

/** A draft with what its calls were counted at, or one whose planner stopped. */
export type EndedDraft = (WrittenDraft | { readonly status: "interrupted"; readonly message: string }) &
  Used & { readonly allowanceSpent?: true };

/** The draft as it was counted under an allowance; one that came to nothing for want of allowance may be tried again. */
export function metered(
  draft: WrittenDraft,
  { used, isSpent }: { readonly used: Used; readonly isSpent: boolean },
): EndedDraft {
  if (draft.status === "complete" || !isSpent) return { ...draft, ...used };
  const message = draft.status === "invalid" ? "the draft was cut off" : draft.message;
  return { status: "model_failed", message, retryable: true, ...used, allowanceSpent: true };
}

/** Ends the draft, unless it was ended before. @param options.held - Steps that are not in the log yet. */
export async function endDraft(
  draft: EndedDraft,
  plan: KnownPlan,
  options: { readonly draftLog: DraftLog; readonly held: readonly PlannedStep[] },
): Promise<void> {
  if (draft.status === "complete") return completeDraft(draft, plan, options);
  const { status: cause, usage, forfeited, allowanceSpent } = draft;
  const why =
    draft.status === "invalid"
      ? { message: issuesText(draft.issues), issues: [...draft.issues], retryable: true }
      : { retryable: true, ...draft };
  const { draftLog, held } = options;
  await draftLog.abandon({ ...why, cause, usage, forfeited, allowanceSpent }, held);
}

async function completeDraft(
  draft: CompleteDraft & Used,
  plan: KnownPlan,
  { draftLog, held }: Parameters<typeof endDraft>[2],
): Promise<void> {
  const { answerFrom, reasoning, confidence, usage, forfeited, steps, added } = draft;
  const { revision, cause = "results", reason = "" } = plan.drafting;
  const common = { answerFrom, reasoning, confidence, forfeited, usage };
  if (revision === 0) await draftLog.seal({ ...common, steps: steps.length }, held);
  else {
    const diff = revisionDiff(plan.steps.values(), draft);
    await draftLog.revise({ ...common, ...diff, cause, reason, added: [...added], revision }, held);
  }
}

type RevisionDiff = { readonly kept: StepId[]; readonly dropped: StepId[] };

/**
 * What a revision does to the steps that the plan has: those with a result stay, and those that have not ended when
 * the revision repeats them or needs them. All others go.
 *
 * @param revision.steps - Those of the revision, as they belong in the log.
 */
function revisionDiff(
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

const SHOWN_MAX = 5;

/** Faults of a draft as one sentence for people: the first few, and how many there are. */
export function issuesText(issues: readonly Issue[]): string {
  const shown = issues.slice(0, SHOWN_MAX).map(({ stepId, field, message }) => {
    const place = [stepId === undefined ? "" : `step ${stepId}`, field]
      .filter((part) => part !== "")
      .join(" ");
    return place === "" ? message : `${place}: ${message}`;
  });
  const left = issues.length - shown.length;
  const more = left === 0 ? "" : `; and ${left} more`;
  return `the draft is not a valid plan: ${shown.join("; ")}${more}`;
}
