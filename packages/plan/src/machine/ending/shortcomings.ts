/** What a plan's answer lacks, in sentences: steps that failed permanently, partial results, reviews that did not approve. */
import type { StepId } from "../../values/ids.ts";
import { answerReviewOf } from "../review/review-gates.ts";
import { saidOf } from "../review/critiques.ts";
import type { KnownPlan, StepEntry } from "../plan-state.ts";
import { hasFailed, isLost, standingOf } from "../links/standing.ts";
import { primaryOf } from "../links/ties.ts";
import { onAnswerSteps } from "../drafting/strategies.ts";

/** An answer is an event of the log, so the size of each part is limited. */
const SHOWN_MAX = 20;
const SHOWN_CHARS_MAX = 500;

/**
 * Returns what is missing as one paragraph: a sentence for each failed or partial step, and one for all that were
 * skipped. Steps that a later draft has replaced do not count.
 *
 * @param said - The text shown with it. If it already says why a step is incomplete, the paragraph does not repeat
 * that.
 * @returns "" if nothing is missing.
 */
export function missingResults(plan: KnownPlan, said = ""): string {
  const missing = missingSentences(plan, said);
  return missing.length === 0 ? "" : `Missing: ${missing.join(" ")}`;
}

/** Returns everything that keeps a plan with an answer from having succeeded; empty if nothing does. */
export function shortcomingsOf(plan: KnownPlan): string[] {
  return [
    ...missingSentences(plan),
    ...unapprovedSteps(plan),
    ...unapprovedDraft(plan),
    ...unapprovedAnswer(plan),
  ];
}

/**
 * Returns, in sentences, what a step with an output did not deliver: items that failed, a text that ends early, a
 * sub-plan that partially succeeded, a review that did not approve.
 *
 * @returns Undefined if nothing is missing, and for a step without an output.
 */
export function incompletenessOf({
  state,
  reviews,
}: Pick<StepEntry, "state" | "reviews">): string | undefined {
  if (state.status !== "succeeded" && state.status !== "reviewing") return undefined;
  const { failedItems = 0, truncated, partial } = state;
  const parts = failedItems === 0 ? [] : [`${failedItems} of its items failed.`];
  if (truncated === true) parts.push("The text ends early: the model reached its length limit.");
  if (partial !== undefined) parts.push(sentence(shorten(partial)));
  const last = state.status === "succeeded" ? reviews?.at(-1) : undefined;
  if (last !== undefined && last.verdict !== "accepted")
    parts.push(sentence(`Its review did not approve it: ${judgementText(last)}`));
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** Whether a failed step does no harm: its fallback has delivered, or it is itself the fallback of a step that has. */
export function isMadeUpFor(plan: Pick<KnownPlan, "steps" | "standIns">, entry: StepEntry): boolean {
  if (!hasFailed(entry.state)) return false;
  if (!isLost(entry)) return true;
  const primary = primaryOf(plan, entry.step.id);
  return primary !== undefined && !isLost(primary);
}

/** Whether a step failed permanently, was cancelled or has not finished, and no fallback delivered. */
export function hasUndelivered(plan: KnownPlan): boolean {
  return plan.steps.some((entry) => {
    if (entry.replaced === true || isMadeUpFor(plan, entry)) return false;
    const standing = standingOf(entry);
    return standing === "lost" || standing === "open";
  });
}

/** Returns how a step failed. For a sub-plan, names the path to the step that failed there, and its cause. */
export function failureText({ step, state }: StepEntry): string | undefined {
  if (state.status !== "failed") return undefined;
  const { leaf, message } = state.error;
  const name = nameOf(step.id, step.description, leaf?.path);
  return `${name} failed: ${shorten(leaf?.message ?? message)}`;
}

/** Returns the first step in planning order that failed permanently without a fallback that delivered. */
export function firstFailure(plan: KnownPlan): StepEntry | undefined {
  return inOrder(plan).find(
    (entry) => entry.state.status === "failed" && entry.replaced !== true && !isMadeUpFor(plan, entry),
  );
}

export function shorten(text: string, charsMax: number = SHOWN_CHARS_MAX): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}

function missingSentences(plan: KnownPlan, said = ""): string[] {
  const missing: string[] = [];
  let skipped = 0;
  let cancelled = 0;
  for (const entry of inOrder(plan)) {
    if (entry.replaced === true || isMadeUpFor(plan, entry)) continue;
    const { state } = entry;
    const failure = failureText(entry);
    if (failure !== undefined) missing.push(sentence(failure));
    else if (state.status === "cancelled") cancelled += 1;
    else if (hasFailed(state)) skipped += 1;
    else if (state.status === "succeeded") missing.push(...partsOf(entry, state, said));
  }
  const shown = missing.slice(0, SHOWN_MAX);
  if (missing.length > shown.length) shown.push(`${missing.length - shown.length} more steps failed.`);
  if (skipped > 0) shown.push(`${skipped} ${skipped === 1 ? "step" : "steps"} that needed them did not run.`);
  if (cancelled > 0) shown.push(`${cancelled} ${cancelled === 1 ? "step was" : "steps were"} cancelled.`);
  return shown;
}

function partsOf(
  { step }: StepEntry,
  { failedItems = 0, partial, truncated }: Extract<StepEntry["state"], { status: "succeeded" }>,
  said: string,
): string[] {
  const name = nameOf(step.id, step.description);
  const parts = failedItems === 0 ? [] : [`${name} failed for ${failedItems} of its items.`];
  if (truncated === true) parts.push(`The output of ${name} ends early: the model reached its length limit.`);
  return partial === undefined || said.includes(partial)
    ? parts
    : [...parts, sentence(`${name} is incomplete: ${shorten(partial)}`)];
}

/** Returns the steps that the answer is based on and whose last review did not approve the output that was kept. */
function unapprovedSteps(plan: KnownPlan): string[] {
  return inOrder(onAnswerSteps(plan)).flatMap(({ step, state, reviews, replaced }) => {
    const last = reviews?.at(-1);
    if (state.status !== "succeeded" || replaced === true) return [];
    if (last === undefined || last.verdict === "accepted") return [];
    const name = nameOf(step.id, step.description);
    return [sentence(`${name} was not approved by its review: ${judgementText(last)}`)];
  });
}

/** Returns the draft that ran if its review did not approve it; an improved draft is a different one. */
function unapprovedDraft({ planReviews, revisions }: KnownPlan): string[] {
  const last = planReviews?.at(-1);
  if (last === undefined || last.verdict === "accepted") return [];
  const isImproved = revisions.some(({ cause, draft }) => cause === "critique" && draft > last.draft);
  return isImproved ? [] : [sentence(`The plan was not approved by its review: ${judgementText(last)}`)];
}

function unapprovedAnswer({ goal, answerReviews }: KnownPlan): string[] {
  if (answerReviewOf(goal) === undefined) return [];
  const last = answerReviews?.at(-1);
  if (last === undefined) return ["The answer was not reviewed."];
  if (last.verdict === "accepted") return [];
  const rejected = answerReviews?.filter(({ verdict }) => verdict === "rejected").length ?? 0;
  const drafts = rejected === 0 ? "The answer was not approved" : "No draft of the answer was approved";
  return [sentence(`${drafts} by its review: ${judgementText(last)}`)];
}

/** Ends the text with one full stop, even if the message has its own. */
function sentence(text: string): string {
  return `${text.replace(/\.+$/, "")}.`;
}

type Judged = {
  readonly verdict: string;
  readonly issues: readonly string[];
  readonly message?: string | undefined;
};

function judgementText({ verdict, issues, message = "no verdict" }: Judged): string {
  return shorten(verdict === "rejected" ? saidOf(issues, "") : message);
}

function inOrder({ steps }: Pick<KnownPlan, "steps">): StepEntry[] {
  return [...steps.values()].sort((left, right) => left.position - right.position);
}

/** @param path - The steps below it; the last one is the step that failed. */
function nameOf(id: StepId, description: string, path: readonly string[] = []): string {
  const name = ["step " + id, ...path].join(" › ");
  return description === "" ? name : `${name} (${shorten(description)})`;
}
