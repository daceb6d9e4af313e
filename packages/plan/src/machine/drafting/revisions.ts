/**
 * Revisions: every cause and every end of a revision is handled here.
 *
 * While a revision is drafted, running steps continue and no other step of the old plan starts. Finished steps stay. Of
 * the others, only those that the revision repeats or refers to stay.
 *
 * Invariants:
 *   REVISION-1. A plan requests no more than `maxReplans` revisions, not counting those that plan the next wave or
 *       improve a draft that has not run. After that, running steps end, no other step starts, and the plan ends with
 *       its partial results.
 *   REVISION-2. A cause that arises while a revision is drafted, and that the revision's planner has not seen, requests
 *       the next revision.
 *   REVISION-3. A revision that adds and drops the same steps as an earlier one ends the plan.
 */
import { type NextPlan, type StepEntry, isHalted } from "../plan-state.ts";
import type { PlanRevised, PlanSealed } from "../../events/draft-events.ts";
import type { Answer } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import { conclude, resultsSoFar } from "../ending/conclusion.ts";
import {
  type RevisionRecord,
  type RevisionWanted,
  countsAgainstLimit,
  replansLeft,
} from "./drafting-state.ts";
import { requestDraft } from "./request-draft.ts";
import { strategyOf } from "./strategies.ts";
import { cancelSteps } from "../step/stop-transitions.ts";
import { stopPlan } from "../stop-plan.ts";
import { closeGate, openGate } from "../approval/open-gate.ts";
import type { Map } from "immutable";
import { canonicalJson } from "../../values/canonical-json.ts";
import { rewriteReferences } from "../../draft/rewrite-references.ts";
import { answerFrom } from "../ending/answer-from.ts";
import { LIMITS } from "../../values/limits.ts";
import { awaitsFacts } from "../knowledge.ts";

/** More reasons than this would not be read. */
const WANTED_MAX = 20;
const REASON_CHARS_MAX = 4_000;

/**
 * Requests a revision of the plan: immediately, or after the one that is being drafted.
 *
 * @param wanted.stepId - The step that caused the revision.
 * @param wanted.reason - For the model that revises the plan, and for users.
 */
export function requestRevision(next: NextPlan, wanted: Omit<RevisionWanted, "seq">): void {
  if (next.conclusion !== undefined || next.replansExceeded !== undefined) return;
  if (!strategyOf(next).draftsWholePlans) return;
  if (next.revisionsWanted.length >= WANTED_MAX) return;
  const reason = wanted.reason.slice(0, REASON_CHARS_MAX);
  next.revisionsWanted = [...next.revisionsWanted, { ...wanted, reason, seq: next.seq }];
  startRevision(next);
}

/** Drops the causes of revisions that a planner had seen when it read the plan: its draft responds to them. */
export function heedRevisions(next: NextPlan, seen: number = next.seq): void {
  next.revisionsWanted = next.revisionsWanted.filter(({ seq }) => seq > seen);
}

/** Drops the revision requests whose cause is gone. */
export function forgetRevisions(next: NextPlan, isGone: (wanted: RevisionWanted) => boolean): void {
  next.revisionsWanted = next.revisionsWanted.filter((wanted) => !isGone(wanted));
}

/** Records a revision whose draft is complete, and requests the next one if there is a cause. */
export function endRevision(
  next: NextPlan,
  { data, at }: Pick<PlanSealed | PlanRevised, "data" | "at">,
): void {
  const { revision, number: draft, cause = "results", reason = "", causedBy } = next.drafting;
  const diff = "dropped" in data ? diffOf(next, data) : { kept: [], dropped: [], added: [] };
  const because = causedBy === undefined ? {} : { causedBy };
  const record: RevisionRecord = { revision, draft, cause, reason, ...because, ...diff, at };
  const twin = next.revisions.find((earlier) => isSame(next, earlier, record));
  next.revisions = [...next.revisions, record];
  if (twin === undefined) return;
  const why = `revision ${revision} is the same as revision ${twin.revision}: ${reason}`;
  stopPlan(next, why);
  conclude(next, { ending: "incomplete", reason: why, answer: answerSoFar(next, why) });
}

/** Requests a revision if there is a cause for one and no draft is being written. */
export function startRevision(next: NextPlan): void {
  const [first] = next.revisionsWanted;
  if (first === undefined || next.drafting.phase !== "sealed" || next.conclusion !== undefined) return;
  const reason = next.revisionsWanted
    .map((wanted) => wanted.reason)
    .join("\n")
    .slice(0, REASON_CHARS_MAX);
  const { cause, stepId } = first;
  if (countsAgainstLimit(cause) && replansLeft(next) <= 0) {
    exceed(next, reason);
    return;
  }
  const because = stepId === undefined ? { cause, reason } : { cause, reason, causedBy: stepId };
  const fresh = { number: next.drafting.number + 1, revision: next.revision + 1, ...because };
  requestDraft(next, { ...fresh, phase: "requested", issues: [], repairs: 0, interruptions: 0 });
}

/** Returns the answer of the last synthesis, else the raw results, else only the reason. */
export function answerSoFar(next: NextPlan, reason: string): Answer {
  const kept = next.partialAnswer;
  if (kept !== undefined) return { ...kept, text: `${kept.text}\n\n${reason}` };
  return resultsSoFar(next, reason);
}

function exceed(next: NextPlan, reason: string): void {
  next.replansExceeded = strategyOf(next).exhausted(next, reason);
  next.revisionsWanted = [];
  // Nothing is left that a user could approve.
  closeGate(next);
  cancelSteps(next, "no revision is left", hasNotStarted);
}

function hasNotStarted({ state }: StepEntry): boolean {
  if (state.status === "awaiting-approval") return state.about.kind !== "outcome-unknown";
  return state.status === "waiting";
}

type Diff = Pick<RevisionRecord, "kept" | "dropped" | "added">;

/** Describes what the revision changed. A step that has succeeded meanwhile is kept, whatever the draft says. */
function diffOf({ steps }: NextPlan, { kept, dropped, added }: PlanRevised["data"]): Diff {
  const isKept = (stepId: StepId): boolean => {
    const entry = steps.get(stepId);
    return entry !== undefined && entry.replaced !== true;
  };
  const saved = dropped.filter(isKept);
  return { kept: [...kept, ...saved], dropped: dropped.filter((stepId) => !isKept(stepId)), added };
}

function isSame(next: NextPlan, earlier: RevisionRecord, later: RevisionRecord): boolean {
  if (earlier.added.length !== later.added.length || earlier.dropped.length !== later.dropped.length)
    return false;
  return revisionContent(next.steps, earlier.added) === revisionContent(next.steps, later.added);
}

/** Returns the content of the added steps without their names: equal for two revisions that add the same. */
function revisionContent(steps: Map<StepId, StepEntry>, added: readonly StepId[]): string {
  const names = new globalThis.Map(added.map((stepId, index) => [stepId, `new-${index}` as StepId]));
  const rename = (stepId: StepId): StepId => names.get(stepId) ?? stepId;
  return canonicalJson(
    added.map((stepId) => {
      const entry = steps.get(stepId);
      if (entry === undefined) return null;
      const { tool, args, agent = null, model = null } = entry.step;
      const dependencies = entry.dependencies.map(rename).toSorted();
      return { tool, args: rewriteReferences(args, rename), agent, model, dependencies };
    }),
  );
}

/** Called after each change: requests the next wave once this one is over, unless it is the last. */
export function planNextWave(next: NextPlan): void {
  if (next.goal.strategy !== "waves" || next.goal.plan !== undefined || !isOver(next)) return;
  if (next.answerFrom !== undefined && answerFrom(next) !== undefined) return;
  const waves = 1 + wavesAfterFirst(next);
  if (waves >= LIMITS.wavesMax) return;
  const reason = `wave ${waves} is over: plan wave ${waves + 1} from its results`;
  requestRevision(next, { cause: "wave", reason });
}

/** Returns how many of a plan's revisions are further waves, which do not count against its revision limit. */
function wavesAfterFirst({ revisions }: Pick<NextPlan, "revisions">): number {
  return revisions.filter(({ cause }) => cause === "wave").length;
}

function isOver(next: NextPlan): boolean {
  if (next.conclusion !== undefined || isHalted(next) || openGate(next) !== undefined) return false;
  if (next.drafting.phase !== "sealed" || next.joining.phase === "requested") return false;
  if (next.critique !== undefined) return false;
  return next.total === next.done && next.replansExceeded === undefined && !awaitsFacts(next);
}
