/**
 * Distributes a plan's budget: first to the draft or review that the plan waits for, then to its steps in the order in
 * which they became ready.
 *
 * Called after every event of a plan with a budget. The cost is proportional to the number of steps that it starts.
 */
import type { BudgetState, Limited, ReadyStep } from "./budget-state.ts";
import { isHalted, type NextPlan, type StepEntry } from "../plan-state.ts";
import { reviewHolder, type Reviewing } from "../review/review-state.ts";
import { LIMITS } from "../../values/limits.ts";
import { isOwnerTool } from "../../language/tool-names.ts";
import { growthOf, holderOf, isMetered, reserve } from "./budget-ledger.ts";
import { type Need, tokensOf } from "./budget-prices.ts";
import { CRITIQUE_NEED, DRAFT_NEED, GROWS, grown, JOIN_NEED } from "./budget-needs.ts";
import { isSharer, reserveShare } from "./budget-shares.ts";
import { critiqueHolder } from "../review/critique-state.ts";
import { runNamed, setState } from "../step/runs.ts";
import { dispatch, holdBack } from "../step/step-transitions.ts";
import { answerFrom } from "../ending/answer-from.ts";
import type { Answer } from "../../events/values.ts";
import { partialAnswer } from "../ending/partial-answer.ts";
import { hintStop } from "../changes.ts";
import { draftedAnswer } from "../review/answer-drafts.ts";
import { askForMore, reasonOf } from "./budget-ask.ts";
import { conclude } from "../ending/conclusion.ts";
import { stopPlan } from "../stop-plan.ts";

/** Starts the work that the budget has room for. If it has room for none, the plan ends. */
export function allot(next: NextPlan): void {
  if (next.budget === undefined || next.conclusion !== undefined || isHalted(next)) return;
  if (next.budget.exhausted === undefined) {
    const exhausted = allotWhole(next) ?? launchReady(next);
    if (exhausted !== undefined) next.budget = { ...next.budget, exhausted };
  }
  endWhenIdle(next);
}

/** Reserves budget for the draft or review that the plan as a whole waits for. */
function allotWhole(next: NextPlan): Limited | undefined {
  const { budget, drafting, joining } = next;
  if (budget === undefined || !isMetered(budget)) return undefined;
  if (drafting.phase === "requested") {
    const need = grown(DRAFT_NEED, growthOf(budget, GROWS.draft));
    return allotOne(next, { holder: holderOf.draft(drafting.number), need });
  }
  if (joining.phase === "requested") {
    const need = grown(JOIN_NEED, growthOf(budget, GROWS.join));
    return allotOne(next, { holder: holderOf.join(joining.number), need });
  }
  if (next.critique !== undefined) {
    const usual = next.critique.of === "plan" ? CRITIQUE_NEED : JOIN_NEED;
    const need = grown(usual, growthOf(budget, GROWS.critique));
    return allotOne(next, { holder: critiqueHolder(next.critique), need });
  }
  return undefined;
}

function allotOne(next: NextPlan, { holder, need }: { holder: string; need: Need }): Limited | undefined {
  if (next.budget?.reserves.has(holder) === true) return undefined;
  const lacking = reserve(next, holder, need);
  return next.budget?.reserves.size === 0 ? lacking : undefined;
}

function launchReady(next: NextPlan): Limited | undefined {
  const plain = launchFrom(next, "plain");
  const metered = launchFrom(next, "metered");
  return plain ?? metered;
}

/** Starts steps of one queue until it is empty or a limit is reached. Returns that limit. */
function launchFrom(next: NextPlan, queue: "plain" | "metered"): Limited | undefined {
  for (;;) {
    const ready = next.budget?.[queue].first();
    if (next.budget === undefined || ready === undefined) return undefined;
    const entry = runNamed(next, ready);
    if (entry?.state.status === "reviewing" && entry.state.for === "budget") {
      const holder = reviewHolder({ stepId: ready.stepId, ...entry.state });
      const lacking = tokensOf(ready.need) === 0 ? undefined : reserve(next, holder, ready.need);
      if (lacking !== undefined) return next.budget.reserves.size === 0 ? lacking : undefined;
      launchReview(next, entry, entry.state);
    }
    // Any other step was skipped or cancelled meanwhile.
    const isReady = entry?.state.status === "waiting" && entry.state.for === "budget";
    if (isReady && !holdBack(next, entry, entry.state.attempt)) {
      if (next.inFlight >= LIMITS.inFlightMax) return undefined;
      const { limit, stepsSent } = next.budget;
      if (limit.steps !== undefined && stepsSent >= limit.steps) {
        return awaitsSteps(next.budget) ? undefined : "steps";
      }
      const isShared = isSharer(next.budget, entry.step.tool);
      const lacking = isShared
        ? reserveShare(next, entry, entry.state.attempt)
        : reserveFor(next, ready, entry.state.attempt);
      if (lacking !== undefined) return next.budget.reserves.size === 0 ? lacking : undefined;
      // Steps that a sub-plan sends are counted through its share.
      if (!isOwnerTool(entry.step.tool)) next.budget = { ...next.budget, stepsSent: stepsSent + 1 };
      dispatch(next, entry, entry.state.attempt);
    }
    next.budget = { ...next.budget, [queue]: next.budget[queue].shift() };
  }
}

/** Whether sub-plans might return unused steps of their shares. */
function awaitsSteps({ reserves }: BudgetState): boolean {
  return reserves.some(({ steps }) => steps !== undefined);
}

function launchReview(next: NextPlan, entry: StepEntry, { for: _for, ...state }: Reviewing): void {
  setState(next, entry, state);
}

function reserveFor(next: NextPlan, ready: ReadyStep, attempt: number): Limited | undefined {
  const { need } = ready;
  return tokensOf(need) === 0 ? undefined : reserve(next, holderOf.step({ ...ready, attempt }), need);
}

/** Marks the plan's time as used up. Returns whether the timer was the budget's. */
export function expireBudget(next: NextPlan, timer: string): boolean {
  const { budget } = next;
  if (budget?.deadline?.timer !== timer) return false;
  const { deadline: _over, ...rest } = budget;
  next.budget = { ...rest, isTimeUp: true, exhausted: rest.exhausted ?? "seconds" };
  return true;
}

/**
 * Requests more budget if the limit is reached and the plan is set to ask. Otherwise ends the plan with the results so
 * far: once the work in flight has ended or, if the time is up, immediately.
 */
export function endWhenIdle(next: NextPlan): void {
  const { budget } = next;
  const drafted = budget?.exhausted === undefined ? undefined : draftedAnswer(next);
  if (drafted !== undefined) {
    hintStop(next);
    const reason = "the remaining budget was too small to review or improve the answer";
    conclude(next, { ending: "complete", reason, answer: drafted });
    return;
  }
  if (askForMore(next)) return;
  if (budget?.exhausted === undefined) return;
  if (budget.isTimeUp !== true && next.inFlight + next.judging > 0) return;
  const reason = reasonOf(budget, budget.exhausted);
  stopPlan(next, reason);
  conclude(next, { ending: "incomplete", reason, answer: answerSoFar(next, reason) });
}

/** Returns the plan's own answer if there is one, else the best answer of a synthesis, else the raw results. */
function answerSoFar(next: NextPlan, reason: string): Answer {
  const own = answerFrom(next) ?? next.partialAnswer;
  if (own === undefined) return partialAnswer(next, `The plan ended early: ${reason}.`);
  return { ...own, status: "partial", text: `${own.text}\n\nThe plan ended early: ${reason}.` };
}
