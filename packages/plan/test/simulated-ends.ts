/** The final reports of workers, planners and reflectors in a simulated world. */
import type { PlannedStep } from "./arbitraries.ts";
import { wholeOf } from "../src/language/budget.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { NO_USAGE } from "../src/values/add-usage.ts";
import { isAnswerJudged } from "../src/machine/review/answer-drafts.ts";
import type { KnownPlan } from "../src/machine/plan-state.ts";
import type { CritiqueWork, JoinWork, ReviewWork, StepWork } from "../src/events/work.ts";
import type { Choose } from "./budget-invariants.ts";
import {
  abandoned,
  answerDrafted,
  answerGiven,
  answerReviewed,
  factRecorded,
  failed,
  givenUp,
  joinAbandoned,
  planReviewed,
  nodesValued,
  revised,
  reviewed,
  revisionRequested,
  sealed,
  succeeded,
} from "./facts.ts";

/** @param spent - The usage that it would report. */
export function outcomeOf(
  { stepId, attempt, allowance }: Pick<StepWork, "stepId" | "attempt" | "allowance">,
  spent: { readonly item: number },
  choose: Choose,
): PlanEvent {
  const kind = choose(12);
  if (kind === 5 && choose(4) === 3) {
    const replan = { reason: "the rest no longer fits" };
    return succeeded(stepId, { x: attempt }, attempt, { ...spent, replan });
  }
  // Occasionally it is only a partial output.
  const part = choose(12) === 11 ? { partial: "it was cut off" } : {};
  if (kind < 6) return succeeded(stepId, { x: attempt }, attempt, { ...spent, ...part });
  if (kind < 7) {
    const value = ["no x", [{ x: 1 }, { x: 2 }], { ok: false, issues: ["no"] }][choose(3)];
    return succeeded(stepId, value, attempt, spent);
  }
  if (kind === 9 && choose(2) === 1) return givenUp(stepId, attempt, spent);
  if (kind < 10) {
    const retryAfterMs = kind === 8 ? 5_000 : undefined;
    return failed(stepId, attempt, { ...spent, retryable: kind < 9, retryAfterMs });
  }
  // The worker died, and the worker that took the step over cannot know how much it used.
  const { item } = spent;
  if (kind < 11)
    return failed(stepId, attempt, { item, forfeited: wholeOf(allowance ?? {}), retryable: true });
  const error = { code: "allowance_spent", message: "too little" };
  return failed(stepId, attempt, { ...spent, error, retryable: true });
}

export function endOfDraft(
  draft: number,
  { spent, truth, ids }: { spent: object; truth: KnownPlan; ids: readonly string[] },
  choose: Choose,
): PlanEvent {
  const { revision } = truth.drafting;
  const kind = choose(8);
  const answerFrom = choose(2) === 0 ? undefined : anyStepId(truth, choose);
  const causes = ["invalid", "model_failed", "interrupted"];
  if (kind >= 5) {
    const retryable = choose(6) < 5;
    const allowanceSpent = choose(3) === 2 ? true : undefined;
    return abandoned(draft, { ...spent, cause: causes[kind - 5], retryable, allowanceSpent });
  }
  if (revision === 0) return sealed(draft, { ...spent, answerFrom, steps: ids.length });
  const dropped = choose(2) === 0 ? [] : [anyStepId(truth, choose)];
  return revised(draft, { ...spent, revision, answerFrom, dropped, added: ids });
}

export function endOfJoin(
  { join, allowance }: Pick<JoinWork, "join" | "allowance">,
  { spent, truth }: { spent: object; truth: KnownPlan },
  choose: Choose,
): PlanEvent {
  const kind = choose(4);
  if (truth.search?.phase === "valuing" && kind < 3) {
    return nodesValued(join, kind === 2 ? {} : valuesFor(truth, choose), spent);
  }
  if (kind < 2 && isAnswerJudged(truth) && choose(3) < 2) return answerDrafted(join, spent);
  if (kind < 2) return answerGiven(join, { status: kind === 1 ? "failed" : "success" }, spent);
  if (kind < 3) return revisionRequested(join, {}, spent);
  if (choose(2) === 0) return joinAbandoned(join, { ...spent, cause: "allowance_spent" });
  return joinAbandoned(join, { usage: NO_USAGE, forfeited: wholeOf(allowance ?? {}) });
}

/** The facts extracted from an output; some contradict other outputs. */
export function patchOf(stepId: string, attempt: number, spent: object, choose: Choose): PlanEvent {
  const claim = { key: `k${choose(3)}`, value: choose(3), confidence: choose(3) / 2 };
  const question = `q${choose(3)}`;
  const asked = choose(2) === 0 ? { answeredQuestions: [question] } : { openQuestions: [question] };
  const replacePlan = choose(6) === 5 ? { steps: ["another way"], reason: "better" } : undefined;
  const more = { ...asked, ...spent, attempt, replacePlan };
  return factRecorded(stepId, choose(4) === 3 ? [] : [claim], more);
}

/** The values of most steps, including some that are not actions of this round. */
function valuesFor({ steps }: KnownPlan, choose: Choose): Record<string, number> {
  const valued = [...steps.keys()].slice(-20).filter(() => choose(5) < 4);
  return Object.fromEntries(valued.map((stepId) => [stepId, choose(12) / 10]));
}

export function endOfReview(
  { stepId, attempt, review, allowance }: ReviewWork,
  spent: object,
  choose: Choose,
): PlanEvent {
  const kind = choose(8);
  const score = choose(3) / 2;
  if (kind < 3) return reviewed(stepId, { ...spent, attempt, review, score });
  if (kind < 4) return reviewed(stepId, { ...spent, attempt, review, score, replan: true });
  if (kind < 6) return reviewed(stepId, { ...spent, attempt, review, verdict: "rejected", score });
  const unjudged = { attempt, review, verdict: "unjudged", message: "no judgement" };
  if (kind < 7) return reviewed(stepId, { ...unjudged, ...spent, cause: "allowance_spent" });
  const lost = { usage: NO_USAGE, forfeited: wholeOf(allowance ?? {}) };
  return reviewed(stepId, { ...unjudged, ...lost, cause: "interrupted" });
}

/** The result of a draft's review. */
export function endOfCritique(
  { of, draft, review, allowance }: CritiqueWork,
  spent: object,
  choose: Choose,
): PlanEvent {
  const kind = choose(8);
  const score = choose(3) / 2;
  const said = of === "plan" ? planReviewed : answerReviewed;
  if (kind < 3) return said({ ...spent, draft, review, score });
  if (kind < 6) return said({ ...spent, draft, review, verdict: "rejected", score });
  const unjudged = { draft, review, verdict: "unjudged", message: "no judgement" };
  if (kind < 7) return said({ ...unjudged, ...spent, cause: "allowance_spent" });
  const lost = { usage: NO_USAGE, forfeited: wholeOf(allowance ?? {}) };
  return said({ ...unjudged, ...lost, cause: "interrupted" });
}

export function anyStepId({ steps }: KnownPlan, choose: Choose): string {
  const ids = [...steps.keys()];
  return ids[choose(ids.length)] ?? "none";
}

/** A step of a draft with ids that no other draft uses. */
export function inDraft({ step, ...grants }: PlannedStep, draft: number) {
  const renamed: unknown = JSON.parse(JSON.stringify(step).replaceAll(/\bs(\d+)\b/g, `d${draft}s$1`));
  const { id, dependsOn = [], ...rest } = renamed as { id: string; dependsOn?: string[] };
  return { step: { ...rest, id, dependsOn }, ...grants };
}
