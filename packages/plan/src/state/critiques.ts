/** Critiques: judgements of whole drafts, asked for and over. A plan waits for at most one at a time. */
import type { PlanReviewed } from "../events/review-events.ts";
import { addUsage } from "../add-usage.ts";
import { forfeitReserve, settleReserve } from "./budget-ledger.ts";
import { GROWS } from "./budget-needs.ts";
import { type Critique, critiqueHolder, type CritiqueRecord } from "./critique-state.ts";
import { isHalted } from "./plan-state.ts";
import type { NextPlan } from "./step-transitions.ts";

/** How often one draft is given to a critic who does not come to an end. */
const CRITIQUES_MAX = 3;

export function askForCritique(next: NextPlan, critique: Critique): void {
  next.critique = critique;
  if (!isHalted(next)) next.due.push({ kind: "critique" });
}

/**
 * Takes in what a critic has said.
 *
 * @returns Undefined when the plan does not wait for it; `again` when it is asked for once more.
 */
export function endCritique(
  next: NextPlan,
  of: Critique["of"],
  { data, at }: Pick<PlanReviewed, "data" | "at">,
): CritiqueRecord | "again" | undefined {
  const { critique } = next;
  const isWanted = critique?.of === of && critique.draft === data.draft && critique.review === data.review;
  if (!isWanted || next.conclusion !== undefined) return undefined;
  const { draft, verdict, score, confidence, issues, suggestion, message, cause } = data;
  const { usage, forfeited } = data;
  const spent = cause === "allowance_spent" ? GROWS.critique : undefined;
  next.usage = addUsage(next.usage, usage);
  settleReserve(next, critiqueHolder(critique), { usage, forfeited, spent });
  const mayAskAgain = cause === "allowance_spent" || cause === "interrupted";
  if (verdict === "unjudged" && mayAskAgain && critique.review < CRITIQUES_MAX) {
    askForCritique(next, { ...critique, review: critique.review + 1 });
    return "again";
  }
  delete next.critique;
  return { draft, verdict, score, confidence, issues, suggestion, message, at };
}

/** The plan comes to its end without it. */
export function dropCritique(next: NextPlan): void {
  if (next.critique === undefined) return;
  forfeitReserve(next, critiqueHolder(next.critique));
  delete next.critique;
}

/** What a critic has said, as a sentence. */
export function saidOf(issues: readonly string[], suggestion: string): string {
  const said = issues.length === 0 ? "nothing more was said" : issues.join("; ");
  return suggestion === "" ? said : `${said}. Suggestion: ${suggestion}`;
}
