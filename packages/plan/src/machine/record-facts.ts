/**
 * The facts that a plan has recorded, and the outputs that are still to be processed for facts.
 *
 * Processing an output delays only the plan's end: the steps continue, and the synthesis has the facts of all outputs.
 */
import type { NextPlan } from "./plan-state.ts";
import type { FactRecorded } from "../events/plan-event.ts";
import type { StepSucceeded } from "../events/step-events.ts";
import type { ToolGrant } from "../events/values.ts";
import type { FactClaim, ReplacedPlan } from "../facts/fact.ts";
import { type ClaimOrigin, withClaim } from "../facts/fact-ledger.ts";
import { isToBeProcessed } from "../facts/keeps-facts.ts";
import { freeOf, isMetered, reserve, countWork } from "./budget/budget-ledger.ts";
import { tokensOf } from "./budget/budget-prices.ts";
import { PROCESS_NEED } from "./budget/budget-needs.ts";
import { outputKey, processHolder, type ToProcess } from "./knowledge.ts";
import { requestRevision } from "./drafting/revisions.ts";

/** The maximum number of open questions per plan. */
const OPEN_QUESTIONS_MAX = 100;

/** Records the facts that an output declares itself, or has the output processed if the submission requests that. */
export function noteOutput(
  next: NextPlan,
  grant: ToolGrant,
  { data, at }: Pick<StepSucceeded, "data" | "at">,
): void {
  const { stepId, item, attempt, output, facts } = data;
  const artifact = "artifact" in output ? output.artifact.name : undefined;
  if (facts !== undefined) {
    learn(next, facts, { stepId, item, at, ...(artifact === undefined ? {} : { artifact }) });
  } else if (next.conclusion === undefined && isToBeProcessed(next.goal.facts, grant, output)) {
    requestFacts(next, { stepId, item, attempt, ...(artifact === undefined ? {} : { artifact }) });
  }
}

function requestFacts(next: NextPlan, wanted: ToProcess): void {
  if (!hasRoomFor(next, wanted)) {
    next.knowledge = { ...next.knowledge, leftOut: next.knowledge.leftOut + 1 };
    return;
  }
  const processing = next.knowledge.processing.set(outputKey(wanted), wanted);
  next.knowledge = { ...next.knowledge, processing };
  next.changes.outputs.push(outputKey(wanted));
}

/** Processing is optional: it uses only what is left of the budget, and never waits for more. */
function hasRoomFor(next: NextPlan, wanted: ToProcess): boolean {
  const { budget } = next;
  if (budget === undefined || !isMetered(budget)) return true;
  if (budget.exhausted !== undefined || freeOf(budget).tokens < tokensOf(PROCESS_NEED)) return false;
  return reserve(next, processHolder(wanted), PROCESS_NEED) === undefined;
}

/** Records the facts that the processor found. Facts that were not requested, or are already known, change nothing. */
export function recordFacts(next: NextPlan, { data, at }: FactRecorded): boolean {
  const { stepId, item, facts, usage, forfeited } = data;
  const key = outputKey(data);
  const wanted = next.knowledge.processing.get(key);
  if (wanted === undefined) return false;
  next.knowledge = { ...next.knowledge, processing: next.knowledge.processing.delete(key) };
  countWork(next, processHolder(data), { usage, forfeited });
  const { artifact } = wanted;
  learn(next, facts, { stepId, item, at, ...(artifact === undefined ? {} : { artifact }) });
  askQuestions(next, { data, at });
  if (data.replacePlan !== undefined) {
    requestRevision(next, { cause: "requires_replan", stepId, reason: reasonOf(data.replacePlan) });
  }
  return true;
}

function reasonOf({ steps, reason }: ReplacedPlan): string {
  return `${reason} The plan should rather be: ${steps.map((step, index) => `${index + 1}. ${step}`).join(" ")}`;
}

function learn(next: NextPlan, claims: readonly FactClaim[], origin: ClaimOrigin): void {
  let { facts, leftOut } = next.knowledge;
  for (const claim of claims) {
    const more = withClaim(facts, claim, origin);
    if (more === undefined) leftOut += 1;
    else facts = more;
  }
  next.knowledge = { ...next.knowledge, facts, leftOut };
}

function askQuestions(next: NextPlan, { data, at }: Pick<FactRecorded, "data" | "at">): void {
  const answered = new Set(data.answeredQuestions);
  let questions = next.knowledge.questions.filter(({ question }) => !answered.has(question));
  for (const question of data.openQuestions) {
    if (questions.size >= OPEN_QUESTIONS_MAX || questions.some((one) => one.question === question)) continue;
    questions = questions.push({ question, stepId: data.stepId, at });
  }
  next.knowledge = { ...next.knowledge, questions };
}
