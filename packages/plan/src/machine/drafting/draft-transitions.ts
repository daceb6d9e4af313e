/** How drafts move: requested → open → (reviewing →) sealed, or abandoned and requested again. */
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type {
  DraftAbandoned,
  DraftStarted,
  PlanRevised,
  PlanSealed,
  StepPlanned,
} from "../../events/draft-events.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { retryDelayMs } from "../../values/retry-delay.ts";
import { hintStop, setTimer } from "../changes.ts";
import { holderOf, countWork } from "../budget/budget-ledger.ts";
import { GROWS } from "../budget/budget-needs.ts";
import { conclude } from "../ending/conclusion.ts";
import type { Drafting } from "./drafting-state.ts";
import { pauseForModel } from "../model-outage.ts";
import { noteSealed, noteStrategy } from "../noted.ts";
import { keepRejected, reviewDraft } from "../review/plan-review.ts";
import { releaseDraft } from "./release-draft.ts";
import { requestDraft } from "./request-draft.ts";
import { strategyNamed, strategyOf } from "./strategies.ts";
import { answerSoFar, endRevision, forgetRevisions, heedRevisions } from "./revisions.ts";
import { addSteps } from "../step/add-steps.ts";
import { closeStandIns } from "../links/stand-ins.ts";
import { mayHaveToBeUndone, replaceSteps } from "../step/stop-transitions.ts";
import { stopPlan } from "../stop-plan.ts";
import { answerBy, describePlan } from "./described-plan.ts";
import { dropHeld } from "../step/step-transitions.ts";

const REPAIRS_MAX = 1;

export function startDraft(next: NextPlan, { data }: DraftStarted): boolean {
  const { number, phase } = next.drafting;
  if (data.draft !== number || phase !== "requested") return false;
  const { strategy, strategyReason, seen, tools } = data;
  next.drafting = { ...next.drafting, phase: "open", steps: 0, strategy, strategyReason };
  next.toolsGranted ??= tools;
  noteStrategy(next, strategy);
  heedRevisions(next, seen);
  strategyNamed(strategy).begin(next);
  return true;
}

export function planStep(next: NextPlan, { data }: StepPlanned): boolean {
  if (!isOpenDraft(next, data.draft) || next.steps.has(data.step.id)) return false;
  const { step, grant, compensateGrant } = data;
  // The model server responds.
  if (next.drafting.tries !== undefined) {
    const { tries: _tries, ...drafting } = next.drafting;
    next.drafting = drafting;
  }
  const { steps = 0 } = next.drafting;
  next.drafting = { ...next.drafting, steps: steps + 1 };
  addSteps(
    next,
    [{ step, grant, ...(compensateGrant === undefined ? {} : { compensateGrant }) }],
    data.draft,
  );
  return true;
}

export function sealDraft(next: NextPlan, { data, at }: PlanSealed | PlanRevised): boolean {
  if (!isOpenDraft(next, data.draft)) return false;
  const { tries: _tries, ...drafting } = next.drafting;
  next.drafting = { ...drafting, phase: "sealed", issues: [] };
  countDraft(next, data);
  noteSealed(next, at);
  // The event's number is not used: only requested revisions count against the plan's limit.
  next.revision = next.drafting.revision;
  answerBy(next, strategyOf(next).draftsWholePlans ? data.answerFrom : undefined);
  describePlan(next, data);
  if ("dropped" in data) {
    const dropped = new Set<string>(data.dropped);
    // A step in the middle of something that would have to be undone runs to its end.
    const stopped = replaceSteps(
      next,
      `dropped by revision ${next.revision}`,
      (entry) => dropped.has(entry.step.id) && !mayHaveToBeUndone(entry),
    );
    if (stopped > 0) hintStop(next);
  }
  closeStandIns(next);
  if (next.revision > 0) endRevision(next, { data, at });
  if (next.conclusion !== undefined) return true;
  if (!reviewDraft(next)) releaseDraft(next, data.draft);
  return true;
}

export function abandonDraft(next: NextPlan, { data, at }: DraftAbandoned): boolean {
  const { drafting } = next;
  const isCurrent =
    data.draft === drafting.number && (drafting.phase === "open" || drafting.phase === "requested");
  if (!isCurrent) return false;
  countDraft(next, data);
  const isOfDraft = (stepId: StepId): boolean => next.steps.get(stepId)?.draft === data.draft;
  dropHeld(next, isOfDraft);
  forgetRevisions(next, ({ stepId }) => stepId !== undefined && isOfDraft(stepId));
  closeStandIns(next, data.draft);
  const stopped = replaceSteps(
    next,
    `draft ${data.draft} was abandoned`,
    ({ draft }) => draft === data.draft,
  );
  if (stopped > 0) hintStop(next);
  dropHeld(next, (stepId) => {
    const status = next.steps.get(stepId)?.state.status;
    return status !== "waiting" && status !== "repeating";
  });

  const repairs = drafting.repairs + (data.cause === "invalid" ? 1 : 0);
  const interruptions = drafting.interruptions + (data.cause === "invalid" ? 0 : 1);
  const again = data.retryable && repairs <= REPAIRS_MAX && interruptions <= LIMITS.draftsInterruptedMax;
  if (!again) {
    if (data.unavailable === true && pauseForModel(next, { ...data, at })) draftAfterOutage(next);
    else giveUpPlanning(next, data.message);
    return true;
  }
  const { tries, ...kept } = drafting;
  // A readable draft shows that the model server responds.
  const rest =
    data.cause === "invalid" ? { issues: data.issues } : { issues: drafting.issues, ...(tries && { tries }) };
  const redraft = { ...kept, ...rest, number: drafting.number + 1, repairs, interruptions };
  if (data.cause === "model_failed") delayDraft(next, redraft, at);
  else requestDraft(next, redraft);
  return true;
}

/** Once the server responds again, earlier failures no longer count. */
function draftAfterOutage(next: NextPlan): void {
  const { tries: _tries, ...drafting } = next.drafting;
  requestDraft(next, { ...drafting, number: drafting.number + 1, interruptions: 0 });
}

function countDraft(
  next: NextPlan,
  data: PlanSealed["data"] | PlanRevised["data"] | DraftAbandoned["data"],
): void {
  const { draft, usage, forfeited } = data;
  const spent = "allowanceSpent" in data && data.allowanceSpent === true ? GROWS.draft : undefined;
  countWork(next, holderOf.draft(draft), { usage, forfeited, spent });
}

function delayDraft(next: NextPlan, drafting: Drafting, at: string): void {
  const timer = `draft-${drafting.number}`;
  const delayMs = retryDelayMs({ attempt: drafting.interruptions, seed: `${next.planId}/${timer}` });
  const due = new Date(Date.parse(at) + delayMs).toISOString();
  next.drafting = { ...drafting, phase: "delayed" };
  setTimer(next, timer, { kind: "draft", at: due });
}

function giveUpPlanning(next: NextPlan, message: string): void {
  if (strategyOf(next).proceedUndrafted(next) || keepRejected(next)) return;
  const { revision } = next.drafting;
  const what = revision === 0 ? "the goal could not be planned" : `revision ${revision} could not be planned`;
  const reason = `${what}: ${message}`;
  stopPlan(next, reason);
  conclude(next, { ending: "incomplete", reason, answer: answerSoFar(next, reason) });
}

function isOpenDraft(plan: KnownPlan, draft: number): boolean {
  return plan.drafting.phase === "open" && plan.drafting.number === draft;
}
