/** How a draft ends in its plan's log. */
import type { Forfeit, KnownPlan, Usage } from "@planwright/plan";
import type { DraftLog } from "./draft-log.ts";
import type { CompleteDraft, WrittenDraft } from "./finish-draft.ts";
import { issuesText } from "./issues-text.ts";
import { revisionDiff } from "./revision-diff.ts";

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

/** Ends the draft, unless it was ended before. */
export async function endDraft(draft: EndedDraft, plan: KnownPlan, draftLog: DraftLog): Promise<void> {
  if (draft.status === "complete") return completeDraft(draft, plan, draftLog);
  const { status: cause, usage, forfeited, allowanceSpent } = draft;
  const why =
    draft.status === "invalid"
      ? { message: issuesText(draft.issues), issues: [...draft.issues], retryable: true }
      : { retryable: true, ...draft };
  await draftLog.abandon({ ...why, cause, usage, forfeited, allowanceSpent });
}

async function completeDraft(
  draft: CompleteDraft & Used,
  plan: KnownPlan,
  draftLog: DraftLog,
): Promise<void> {
  const { answerFrom, reasoning, confidence, usage, forfeited, steps, added } = draft;
  const { revision, cause, reason = "" } = plan.drafting;
  const common = {
    ...(answerFrom === undefined ? {} : { answerFrom }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(forfeited === undefined ? {} : { forfeited }),
    usage,
  };
  if (revision === 0) await draftLog.seal({ ...common, steps: steps.length });
  else {
    const diff = revisionDiff(plan.steps.values(), draft);
    const why = cause === undefined ? { reason } : { cause, reason };
    await draftLog.revise({ ...common, ...diff, ...why, added: [...added], revision });
  }
}
