/** When a run is ready, and what it waits for until then, by the plan's rules and derived from the events alone. */
import { alwaysWaits, gatesDrafts, isLargeDraft, isUnsure } from "../../machine/approval/approval-gates.ts";
import { LIMITS } from "../../values/limits.ts";
import { HUMAN_ASK } from "../../language/tool-names.ts";
import { planReviewOf } from "../../machine/review/review-gates.ts";
import { refusalIn } from "../../machine/links/refusal.ts";
import type { StepOutput } from "../../events/values.ts";
import { enter, settleCourse } from "./course.ts";
import { allRuns, type Fold, isMet, primaryOf, type Run, type StepFold } from "./fold.ts";
import type { BarStatus, WaitReason } from "./timeline.ts";

/** All its dependencies are met: it waits for its draft, a person, its plan to resume, or a free slot. */
export function makeReady(fold: Fold, run: Run, atMs: number): void {
  const why = reasonToHold(fold, run) ?? reasonToWait(fold, run);
  const isAsked = why === "answer" || (why === "approval" && !isGated(fold, run));
  if (isAsked) run.state = "asked";
  else run.state = why === undefined ? "ready" : "waiting";
  if (run.state !== "waiting") delete run.wasReady;
  enter(run, why === undefined ? { kind: "queue" } : { kind: "wait", why }, atMs);
}

/** Why a step is held as a whole; its items are no longer held. */
function reasonToHold(fold: Fold, run: Run): WaitReason | undefined {
  const { of, item } = run;
  if (item !== undefined) return undefined;
  const primary = primaryOf(fold, of.step.id);
  if (primary !== undefined && primary.run.state !== "settled") return "primary";
  if (isHeldBack(fold, of)) return "draft";
  if (isGated(fold, run)) return "approval";
  return of.step.forEach === undefined ? undefined : "verdict";
}

function reasonToWait(fold: Fold, { of, approved }: Run): WaitReason | undefined {
  const { step, grant } = of;
  if (fold.delayed && !fold.paused) return "start";
  if (fold.paused) return "pause";
  if (step.tool === HUMAN_ASK) return "answer";
  // Approvals that depend on arguments are known only once they are requested.
  const always = alwaysWaits(fold.goal, { tool: step.tool, risk: grant.risk });
  const isDoubted = always || isUnsure(fold.goal, step.confidence);
  if (isDoubted && !approved) return "approval";
  return fold.outOfBudget ? "budget" : undefined;
}

/** A run that had been ready before, of a large draft that was still being written, may finish. */
function isGated({ gate }: Fold, { of, attempt, wasReady }: Run): boolean {
  return gate !== undefined && attempt === 1 && wasReady !== true && of.draft >= gate.from;
}

function isHeldBack(fold: Fold, { draft, grant }: StepFold): boolean {
  const { phase, number, revision } = fold.draft;
  if (phase === "sealed") return false;
  if (phase === "reviewing") return true;
  if (draft !== number) return revision > 0;
  const isHarmless = grant.risk === "low" && grant.effect === "read";
  if (!isHarmless || isLargeDraft(fold.goal, fold.draft.steps)) return true;
  return gatesDrafts(fold.goal) || isUnderReview(fold);
}

/** Whether the draft is the plan's first one, or its improvement, and is judged before it runs. */
export function isUnderReview({ goal, strategy, draft }: Fold): boolean {
  if (planReviewOf(goal) === undefined || strategy === "tree-search" || strategy === "direct") return false;
  return draft.revision === 0 || draft.isCritique;
}

/** Something that held steps back is over: each waits for the next thing, or is ready. */
export function releaseAll(fold: Fold, atMs: number): void {
  for (const run of allRuns(fold)) {
    const { open, state } = run;
    if (state === "settled" || open?.kind !== "wait") continue;
    if (run.of.unmet === 0 && HELD.has(open.why)) makeReady(fold, run, atMs);
  }
  for (const entry of fold.steps.values())
    if (entry.run.state === "reviewing") heedVerdicts(fold, entry, atMs);
}

const HELD: ReadonlySet<WaitReason | undefined> = new Set(["draft", "pause", "start", "budget"]);

/** A run that was ready does not begin for now. */
export function holdReady(fold: Fold, why: WaitReason, atMs: number): void {
  for (const run of allRuns(fold)) {
    if (run.state !== "ready" || run.open?.kind !== "queue") continue;
    run.state = "waiting";
    run.wasReady = true;
    enter(run, { kind: "wait", why }, atMs);
  }
}

/** An attempt has an output, which is accepted immediately or after its verification. */
export function offer(fold: Fold, entry: StepFold, output: StepOutput | undefined, at: Moment): void {
  if (output !== undefined && refusalIn(output) !== undefined) entry.refused = true;
  const { verifies, id } = entry.step;
  const verified = verifies === undefined || verifies === id ? undefined : fold.steps.get(verifies);
  if (verified?.run.status === "succeeded" && entry.refused === true) {
    settleStep(fold, entry, "failed", at);
    return;
  }
  if (waitsToBeTaken(fold, entry)) {
    entry.run.state = "reviewing";
    enter(entry.run, { kind: "reviewing" }, at.workMs);
    entry.shown = true;
    for (const verifier of entry.verifiers) meet(fold, verifier, at.atMs);
    heedVerdicts(fold, entry, at.atMs);
    return;
  }
  settleStep(fold, entry, "succeeded", at);
}

/** When its work ended, and when its outcome was told. */
export type Moment = { readonly workMs: number; readonly atMs: number };

function waitsToBeTaken(fold: Fold, { verifiers, step, draft }: StepFold): boolean {
  if (verifiers.some(stillChecks)) return true;
  const { phase, number } = fold.draft;
  return step.fallback !== undefined && phase !== "sealed" && number === draft;
}

/** Whether a step that checks another is not over, or has refused it; one that was cancelled does neither. */
function stillChecks({ run, excused, refused }: StepFold): boolean {
  if (run.status === "cancelled") return false;
  return run.state !== "settled" || excused === true || refused === true;
}

/** Accepts or refuses a step whose output is there. */
function heedVerdicts(fold: Fold, entry: StepFold, atMs: number): void {
  if (entry.run.state !== "reviewing" || entry.shown !== true) return;
  const isRefused = entry.verifiers.some(({ run, excused, refused }) => {
    if (run.state !== "settled") return false;
    return run.status === "failed" || excused === true || (run.status === "succeeded" && refused === true);
  });
  const at = { workMs: atMs, atMs };
  if (isRefused) settleStep(fold, entry, "failed", at);
  else if (!waitsToBeTaken(fold, entry)) settleStep(fold, entry, "succeeded", at);
}

/** Settles a step as a whole: its dependents continue, or no longer have anything to wait for. */
export function settleStep(
  fold: Fold,
  entry: StepFold,
  status: Exclude<BarStatus, "open">,
  { workMs, atMs }: Moment,
): void {
  settleRun(fold, entry.run, status, workMs);
  if (status === "cancelled") return;
  heedVerifier(fold, entry, atMs);
  announce(fold, entry, atMs);
  callStandIn(fold, entry, atMs);
  standInFor(fold, entry, atMs);
}

export function settleRun(fold: Fold, run: Run, status: Exclude<BarStatus, "open">, atMs: number): void {
  run.state = "settled";
  settleCourse(run, status, atMs);
  fold.settledMs = Math.max(fold.settledMs, atMs);
}

function heedVerifier(fold: Fold, entry: StepFold, atMs: number): void {
  const { verifies, id } = entry.step;
  const verified = verifies === undefined || verifies === id ? undefined : fold.steps.get(verifies);
  if (verified === undefined) return;
  const isOpen = verified.run.state !== "settled";
  if (hasFailed(entry) && (isOpen || hasFailed(verified))) entry.excused = true;
  heedVerdicts(fold, verified, atMs);
}

function hasFailed({ run, passedOver }: StepFold): boolean {
  return run.status === "failed" || (run.status === "skipped" && passedOver !== true);
}

function standingOf(entry: StepFold): StepFold["standing"] {
  const { run, step, passedOver, excused, standIn } = entry;
  if (run.status === "succeeded") return "met";
  if (run.status === "cancelled") return "lost";
  if (run.state !== "settled") return undefined;
  if (passedOver === true || excused === true) return "passed";
  if (step.fallback === undefined || standIn === "none") return "lost";
  return standIn === undefined ? undefined : "met";
}

function announce(fold: Fold, entry: StepFold, atMs: number): void {
  const standing = standingOf(entry);
  if (standing === undefined || entry.standing === standing) return;
  const wasMet = isMet(entry);
  entry.standing = standing;
  if (wasMet || !isMet(entry)) return;
  for (const dependent of entry.dependents) {
    const hasGone = entry.shown === true && entry.verifiers.includes(dependent);
    if (!hasGone) meet(fold, dependent, atMs);
  }
}

function meet(fold: Fold, entry: StepFold, atMs: number): void {
  entry.unmet -= 1;
  const isWaiting = entry.run.state === "waiting" && entry.run.open?.why === "dependencies";
  if (entry.unmet === 0 && isWaiting) makeReady(fold, entry.run, atMs);
}

/** Starts the fallback of a failed step. A fallback that is not needed has its own event. */
function callStandIn(fold: Fold, primary: StepFold, atMs: number): void {
  const { id, fallback } = primary.step;
  if (fallback === undefined || !hasFailed(primary) || primary.standIn !== undefined) return;
  const standIn = fold.primaries.get(fallback) === id ? fold.steps.get(fallback) : undefined;
  if (standIn === undefined) {
    const { phase, number } = fold.draft;
    const isBeingDrafted = phase !== "sealed" && number === primary.draft;
    if (!isBeingDrafted || fold.primaries.get(fallback) !== id) takeIn(fold, primary, "none", atMs);
  } else if (standIn.run.state === "settled") standInFor(fold, standIn, atMs);
  else if (standIn.unmet === 0 && standIn.run.open?.why === "primary") makeReady(fold, standIn.run, atMs);
}

/** A fallback has ended: dependents of the step that it replaces use its output, or no longer have anything to wait for. */
function standInFor(fold: Fold, standIn: StepFold, atMs: number): void {
  const primary = primaryOf(fold, standIn.step.id);
  if (primary === undefined || !hasFailed(primary) || primary.standIn !== undefined) return;
  const standing = standingOf(standIn);
  if (standing !== undefined) takeIn(fold, primary, standing === "met" ? "delivered" : "none", atMs);
}

function takeIn(fold: Fold, primary: StepFold, standIn: "delivered" | "none", atMs: number): void {
  primary.standIn = standIn;
  announce(fold, primary, atMs);
  standInFor(fold, primary, atMs);
}

/** Settles failed steps whose fallback will no longer be planned by any draft. */
export function closeStandIns(fold: Fold, atMs: number, abandoned?: number): void {
  for (const [fallback, id] of fold.primaries) {
    const primary = fold.steps.has(fallback) ? undefined : fold.steps.get(id);
    if (primary === undefined || !hasFailed(primary) || primary.standIn !== undefined) continue;
    const { phase, number } = fold.draft;
    const isBeingDrafted = phase !== "sealed" && number === primary.draft;
    if (primary.draft === abandoned || !isBeingDrafted) takeIn(fold, primary, "none", atMs);
  }
}

/** Starts as many items of a list as may run simultaneously. */
export function startItems(fold: Fold, { items, run }: StepFold, atMs: number): void {
  let open = items.filter(({ state, open: phase }) => state !== "settled" && phase?.why !== "turn").length;
  for (const item of items) {
    if (open >= LIMITS.itemsAtOnceMax || run.state === "settled") return;
    if (item.state !== "waiting" || item.open?.why !== "turn") continue;
    makeReady(fold, item, atMs);
    open += 1;
  }
}
