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
  DraftAbandoned,
  type DraftWork,
  NO_USAGE,
  type PlanEvent,
  PlanRevised,
  PlanSealed,
  StepPlanned,
  DraftStarted,
} from "@planwright/plan";
import type { CompleteDraft, WrittenDraft } from "./finish-draft.ts";
import { appendEvent, factSubject, type Publish } from "@planwright/shared/bus";
import { UnwantedError } from "@planwright/shared/jobs";
import type { TraceParent } from "@planwright/shared/telemetry";
import type { PlannedStep } from "./draft-builder.ts";

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
  const { revision, cause = "results", reason = "" } = plan.drafting;
  const common = { answerFrom, reasoning, confidence, forfeited, usage };
  if (revision === 0) await draftLog.seal({ ...common, steps: steps.length });
  else {
    const diff = revisionDiff(plan.steps.values(), draft);
    await draftLog.revise({ ...common, ...diff, cause, reason, added: [...added], revision });
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

/**
 * The part of a plan's log that one draft is.
 *
 * Invariants:
 *   DRAFT-1. A draft is opened once: only its opener plans its steps.
 *   DRAFT-2. A draft is ended once, by the first to do so, and no step of it is stored afterwards.
 */
export type Abandonment = Pick<DraftAbandoned["data"], "cause" | "message" | "retryable"> &
  Partial<
    Pick<
      DraftAbandoned["data"],
      "issues" | "unavailable" | "retryAfterMs" | "usage" | "forfeited" | "allowanceSpent"
    >
  >;

export type DraftLog = {
  /**
   * Opens the draft.
   *
   * @param opener - Told apart from every other attempt to open it, by this process or another.
   * @returns False when it was opened before.
   */
  open(opener: string, data: Omit<DraftStarted["data"], "draft">): Promise<boolean>;
  /** @throws {DraftEndedError} When the draft has been ended meanwhile. */
  plan(planned: PlannedStep): Promise<void>;
  /** Each of these ends the draft, unless it was ended before; false then. */
  seal(data: Omit<PlanSealed["data"], "draft">): Promise<boolean>;
  revise(data: Omit<PlanRevised["data"], "draft">): Promise<boolean>;
  abandon(abandonment: Abandonment): Promise<boolean>;
};

/** Another writer has ended the draft: nothing more of it is stored. */
export class DraftEndedError extends UnwantedError {
  override readonly name = "DraftEndedError";
}

const ISSUES_MAX = 200;

export function createDraftLog(
  { planId, draft, after }: Pick<DraftWork, "planId" | "draft" | "after">,
  { publish, now, trace }: { publish: Publish; now: () => Date; trace?: TraceParent | undefined },
): DraftLog {
  const head = () => ({ planId, after, at: now() });
  const abandoned = (data: Abandonment): PlanEvent =>
    DraftAbandoned.create(head(), {
      usage: NO_USAGE,
      ...data,
      draft,
      issues: data.issues?.slice(0, ISSUES_MAX) ?? [],
    });
  const append = async (event: PlanEvent): Promise<boolean> =>
    (await appendEvent(publish, event, { trace })).status !== "lost";
  // Every end of a draft has the same subject.
  const ended = factSubject(abandoned({ cause: "interrupted", message: "", retryable: true }));

  return {
    open: (opener, data) => append(DraftStarted.create(head(), { draft, ...data }, opener)),
    async plan(planned) {
      const event = StepPlanned.create(head(), { draft, ...planned });
      const fence = { sequence: 0, subject: ended };
      const { status } = await appendEvent(publish, event, { fence, trace });
      if (status === "lost") throw new DraftEndedError(`draft ${draft} has ended`);
    },
    seal: (data) => append(PlanSealed.create(head(), { draft, ...data })),
    revise: (data) => append(PlanRevised.create(head(), { draft, ...data })),
    abandon: (data) => append(abandoned(data)),
  };
}
