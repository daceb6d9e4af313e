/** Checks how a plan ended, based on its steps and reviews and not on the rule that decided it. */
import { isEnded, type KnownPlan, type StepEntry } from "../src/machine/plan-state.ts";
import { itemsOf } from "../src/machine/step/runs.ts";
import { isLost, standingOf } from "../src/machine/links/standing.ts";

/** Returns what is wrong with the outcome of a plan that has ended; empty if nothing is. */
export function brokenOutcome(plan: KnownPlan): string[] {
  if (!isEnded(plan) || plan.conclusion === undefined) return ["the plan has not ended"];
  const { outcome, answer, reason } = plan.conclusion;
  const broken: string[] = [];
  const say = (what: string) => broken.push(`${outcome} (${reason}): ${what}`);
  if (outcome === "succeeded") {
    if (answer === undefined || answer.status === "failed" || answer.status === "partial")
      say(`its answer is ${answer?.status ?? "missing"}`);
    for (const fault of faultsOf(plan)) say(fault);
  }
  if (outcome === "partial") {
    if (answer === undefined || answer.status === "failed") say("nothing of its answer is usable");
    if (answer?.status === "success") say("its answer claims to be whole");
    if (reason === "") say("it does not name what is missing");
  }
  if ((outcome === "succeeded" || outcome === "partial") && plan.compensations !== undefined)
    say("it was undone");
  return broken;
}

function faultsOf(plan: KnownPlan): string[] {
  const faults: string[] = [];
  for (const entry of plan.steps.values()) {
    if (entry.replaced === true) continue;
    const primary = plan.steps.get(plan.standIns.get(entry.step.id) ?? entry.step.id);
    const isMadeUp = primary !== undefined && primary !== entry && !isLost(primary);
    if (standingOf(entry) === "lost" && !isMadeUp) faults.push(`step ${entry.step.id} is lost`);
    faults.push(...faultsOfOutput(plan, entry));
  }
  const { answerReviews = [], planReviews = [], goal } = plan;
  const asksForAnswerReview = goal.review?.answer !== undefined && goal.review.answer !== false;
  if (asksForAnswerReview && answerReviews.at(-1)?.verdict !== "accepted")
    faults.push("its answer was not approved");
  const lastDraft = planReviews.at(-1);
  const isImproved = plan.revisions.some(
    ({ cause, draft }) => cause === "critique" && draft > (lastDraft?.draft ?? 0),
  );
  if (lastDraft?.verdict === "rejected" && !isImproved) faults.push("its draft was rejected");
  return faults;
}

function faultsOfOutput(plan: KnownPlan, { step, state, reviews }: StepEntry): string[] {
  if (state.status !== "succeeded") return [];
  const faults: string[] = [];
  if (state.partial !== undefined) faults.push(`step ${step.id} delivered only a part`);
  if (itemsOf(plan, step.id).some((item) => item.state.status === "failed"))
    faults.push(`an item of ${step.id} failed`);
  // Actions of a search that its answer does not use may have any verdict.
  if (plan.search === undefined && reviews?.at(-1)?.verdict === "rejected")
    faults.push(`step ${step.id} was rejected`);
  return faults;
}
