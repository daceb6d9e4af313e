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

/** A draft with the counted usage of its calls, or one whose planner stopped. */
export type EndedDraft = (WrittenDraft | { readonly status: "interrupted"; readonly message: string }) &
  Used & { readonly allowanceSpent?: true };

/** The draft with usage as counted by an allowance; one that failed for lack of allowance can be retried. */
export function metered(
  draft: WrittenDraft,
  { used, isSpent }: { readonly used: Used; readonly isSpent: boolean },
): EndedDraft {
  if (draft.status === "complete" || !isSpent) return { ...draft, ...used };
  const message = draft.status === "invalid" ? "the draft was cut off" : draft.message;
  return { status: "model_failed", message, retryable: true, ...used, allowanceSpent: true };
}

/** Ends the draft, unless it has already ended. @param options.held - Steps that are not in the log yet. */
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
 * What a revision does to the plan's existing steps: those with a result stay, and so do unfinished ones that the revision
 * repeats or depends on. All others are removed.
 *
 * @param revision.steps - The revision's steps, in the form stored in the log.
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
    // A cancelled step was already removed.
    else if (entry.state.status !== "cancelled") diff.dropped.push(id);
  }
  return diff;
}

const SHOWN_MAX = 5;

/** A draft's faults as one sentence for users: the first few, and the total number. */
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
