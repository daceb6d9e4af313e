/** How events about the plan as a whole change the timeline. */
import { isLargeDraft, waitsAsPlan } from "../../machine/approval/approval-gates.ts";
import type { StepOutput, ToolGrant } from "../../events/values.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json-guards.ts";
import type { Step } from "../../language/plan-language.ts";
import { planReviewOf } from "../../machine/review/review-gates.ts";
import { withGrants } from "../../machine/step/grants.ts";
import { expire, isAskedAgain } from "./attempt-facts.ts";
import type { EventOf } from "./attempts.ts";
import { enter } from "./course.ts";
import { allRuns, type Fold, type PlannedStep, putSteps, removeStep, runOf } from "./fold.ts";
import { decide, tryAgain } from "./loop-facts.ts";
import { closeStandIns, holdReady, isUnderReview, makeReady, releaseAll, settleRun } from "./readiness.ts";
import { mayHaveToBeUndone, stopAll, stopPlan } from "./stops.ts";
import type { MarkKind, PlanSpanKind } from "./timeline.ts";

export function begin(fold: Fold): void {
  const { goal } = fold;
  if (fold.delayed) openSpan(fold, "start", 0);
  const { plan, carried = [], grants } = goal;
  for (const entry of putSteps(fold, carried, { draft: 0, atMs: 0 })) {
    entry.standing = "met";
    entry.run.state = "settled";
    entry.run.status = "succeeded";
    entry.run.open = undefined;
  }
  if (plan === undefined) return;
  if (waitsAsPlan(goal, plan.confidence)) fold.gate = { from: 0 };
  addSteps(
    fold,
    plan.steps.map((step) => withGrants(grants, step)),
    { draft: 0, atMs: 0 },
  );
}

function addSteps(fold: Fold, planned: readonly PlannedStep[], about: { draft: number; atMs: number }): void {
  for (const { run, unmet } of putSteps(fold, planned, about)) {
    if (unmet === 0) makeReady(fold, run, about.atMs);
  }
}

export function planStep(fold: Fold, { data }: EventOf<"step.planned">, atMs: number): void {
  fold.draft = { ...fold.draft, steps: fold.draft.steps + 1 };
  addSteps(fold, [data], { draft: data.draft, atMs });
}

export function startDraft(fold: Fold, { data }: EventOf<"draft.started">, atMs: number): void {
  const { isCritique } = fold.draft;
  fold.draft = { number: data.draft, phase: "open", revision: fold.sealed, isCritique, steps: 0 };
  fold.strategy = data.strategy;
  openSpan(fold, "drafting", atMs);
  if (fold.sealed > 0) holdReady(fold, "draft", atMs);
}

export function sealDraft(
  fold: Fold,
  event: EventOf<"plan.sealed"> | EventOf<"plan.revised">,
  atMs: number,
): void {
  const { draft } = fold;
  const { confidence } = event.data;
  closeSpan(fold, "drafting", atMs);
  if (event.type === "plan.sealed") mark(fold, "sealed", atMs);
  else {
    const { cause, reason, dropped } = event.data;
    fold.marks.push({ kind: "revised", atMs, text: reason, cause });
    const gone = new Set<string>(dropped);
    stopAll(fold, atMs, (run) => !gone.has(run.of.step.id) || mayHaveToBeUndone(run));
  }
  fold.sealed += 1;
  const isJudged = isUnderReview(fold) && (draft.revision === 0 || judgesAgain(fold));
  fold.draft = { ...draft, phase: isJudged ? "reviewing" : "sealed" };
  closeStandIns(fold, atMs);
  if (isJudged) openSpan(fold, "critique", atMs);
  else release(fold, confidence, atMs);
}

function judgesAgain({ goal }: Fold): boolean {
  return planReviewOf(goal)?.again === true;
}

/** How many steps the drafts from `first` on have planned, cancelled ones left out. */
function stepsOfDrafts({ steps }: Fold, first: number): number {
  return [...steps.values()].filter(({ draft, run }) => draft >= first && run.status !== "cancelled").length;
}

/** Runs a complete draft, unless it needs approval. */
function release(fold: Fold, confidence: number | undefined, atMs: number): void {
  const { number, isCritique } = fold.draft;
  const first = isCritique ? 1 : number;
  const isLarge = isLargeDraft(fold.goal, stepsOfDrafts(fold, first));
  if (fold.gate !== undefined || isLarge || waitsAsPlan(fold.goal, confidence)) {
    fold.gate = { from: fold.gate?.from ?? first };
  }
  fold.draft = { ...fold.draft, phase: "sealed", isCritique: false };
  releaseAll(fold, atMs);
}

export function reviewPlan(fold: Fold, { data }: EventOf<"plan.reviewed">, atMs: number): void {
  if (fold.draft.phase !== "reviewing" || isAskedAgain(data)) return;
  closeSpan(fold, "critique", atMs);
  // An improved draft runs whatever is said of it; that the first one is improved, is told when its planner begins.
  if (data.verdict === "rejected" && fold.draft.revision === 0)
    fold.draft = { ...fold.draft, isCritique: true };
  else release(fold, undefined, atMs);
}

export function abandonDraft(fold: Fold, { data }: EventOf<"draft.abandoned">, atMs: number): void {
  const { draft } = fold;
  closeSpan(fold, "drafting", atMs);
  mark(fold, "abandoned", atMs, data.message);
  closeStandIns(fold, atMs, data.draft);
  stopAll(fold, atMs, ({ of }) => of.draft !== data.draft);
  if (data.retryable) fold.draft = { ...draft, number: data.draft + 1, phase: "open", revision: fold.sealed };
  else if (draft.isCritique) release(fold, undefined, atMs);
}

export function requestApproval(fold: Fold, { data }: EventOf<"approval.requested">, atMs: number): void {
  const { approvalId, kind, stepId, item, undo } = data;
  const run = stepId === undefined ? undefined : runOf(fold, { stepId, item, undo });
  fold.asked.set(approvalId, { kind, run });
  if (kind === "plan") openSpan(fold, "approval", atMs);
  if (kind === "budget") {
    openSpan(fold, "approval", atMs);
    fold.outOfBudget = true;
    holdReady(fold, "budget", atMs);
  }
  // Why it waits is known before it is asked, but for what its log says only now.
  if (run === undefined || run.state === "settled" || run.state === "asked") return;
  run.state = "asked";
  enter(run, { kind: "wait", why: "approval" }, atMs);
}

export function decideApproval(fold: Fold, { data }: EventOf<"approval.decided">, atMs: number): void {
  const { decision, edits, grants } = data;
  const output = decision === "happened" ? { value: data.output ?? null } : undefined;
  settleApproval(fold, data.approvalId, { decision, atMs, steps: stepsIn(edits), grants, output });
}

type Decided = {
  readonly decision: string;
  readonly atMs: number;
  /** Of a plan that a person has changed. */
  readonly steps?: readonly Step[] | undefined;
  readonly grants?: Readonly<Record<string, ToolGrant>> | undefined;
  readonly output?: StepOutput | undefined;
};

export function settleApproval(fold: Fold, approvalId: string, decided: Decided): void {
  const asked = fold.asked.get(approvalId);
  if (asked === undefined) return;
  fold.asked.delete(approvalId);
  const { kind, run } = asked;
  const { decision, atMs } = decided;
  if (run !== undefined) decide(fold, run, { kind, decision, atMs, output: decided.output });
  else if (kind === "plan") decidePlan(fold, decided);
  else {
    closeSpan(fold, "approval", atMs);
    fold.outOfBudget = false;
    if (decision === "approve") releaseAll(fold, atMs);
  }
}

function decidePlan(fold: Fold, decided: Decided): void {
  const { decision, atMs } = decided;
  closeSpan(fold, "approval", atMs);
  if (decision !== "approve") {
    stopPlan(fold, atMs, mayHaveToBeUndone);
    return;
  }
  const from = fold.gate?.from ?? 0;
  if (decided.steps !== undefined) replaceSteps(fold, from, decided);
  fold.gate = undefined;
  for (const run of allRuns(fold)) {
    if (run.state === "waiting" && run.open?.why === "approval") makeReady(fold, run, atMs);
  }
}

/** A reviewer's edited steps replace those that awaited approval. */
function replaceSteps(fold: Fold, from: number, { steps = [], grants = {}, atMs }: Decided): void {
  const wanted = new Set<string>(steps.map(({ id }) => id));
  for (const [id, { run, draft }] of fold.steps) {
    if (draft < from || run.state === "settled") continue;
    if (wanted.has(id)) removeStep(fold, id);
    else settleRun(fold, run, "cancelled", atMs);
  }
  addSteps(
    fold,
    steps.map((step) => withGrants(grants, step)),
    { draft: fold.draft.number, atMs },
  );
}

/** The steps of a plan that a person has written, with what they leave out. */
function stepsIn(edits: JsonObject | undefined): Step[] | undefined {
  const steps = edits?.["steps"];
  if (!Array.isArray(steps)) return undefined;
  return steps.filter(isJsonObject).map((step) => {
    // The gateway has checked it before it was stored.
    return { description: "", args: {}, dependsOn: [], ...step } as unknown as Step;
  });
}

export function pause(fold: Fold, { data }: EventOf<"pause.requested">, atMs: number): void {
  fold.paused = true;
  mark(fold, "paused", atMs, data.reason === "" ? data.by : `${data.by}: ${data.reason}`);
  openSpan(fold, "paused", atMs);
  holdReady(fold, "pause", atMs);
}

export function resume(fold: Fold, { data }: EventOf<"resume.requested">, atMs: number): void {
  fold.paused = false;
  mark(fold, "resumed", atMs, data.by);
  closeSpan(fold, "paused", atMs);
  releaseAll(fold, atMs);
}

/** A user, damage, or a goal that cannot be planned stops the plan: no more steps begin. */
export function stop(fold: Fold, text: string, atMs: number): void {
  mark(fold, "cancelled", atMs, text);
  fold.paused = false;
  fold.delayed = false;
  closeSpan(fold, "paused", atMs);
  closeSpan(fold, "start", atMs);
  stopPlan(fold, atMs, mayHaveToBeUndone);
}

const APPROVAL_TIMER = "approval-";
const START_TIMER = "start";

export function fire(fold: Fold, { data }: EventOf<"timer.fired">, atMs: number): void {
  const { timer, deadline } = data;
  if (timer.startsWith(APPROVAL_TIMER)) {
    settleApproval(fold, timer.slice(APPROVAL_TIMER.length), { decision: "reject", atMs });
  } else if (deadline !== undefined) {
    expire(fold, deadline.starts, atMs);
  } else if (timer === START_TIMER) {
    fold.delayed = false;
    closeSpan(fold, "start", atMs);
    releaseAll(fold, atMs);
  } else {
    const run = fold.timers.get(timer);
    if (run?.state === "retrying") tryAgain(fold, run, atMs);
  }
}

export function answer(fold: Fold, { data }: EventOf<"answer.given">, atMs: number): void {
  mark(fold, "answer", atMs, data.answer.status);
  // What judged the results has looked at them from the moment when the last one was there.
  if (data.join !== undefined) fold.spans.push({ kind: "answering", startMs: fold.settledMs, endMs: atMs });
  stopPlan(fold, atMs, mayHaveToBeUndone);
}

export function endPlan(fold: Fold, { data }: EventOf<"plan.ended">, atMs: number): void {
  fold.endedMs = atMs;
  mark(fold, "ended", atMs, data.reason === "" ? data.outcome : `${data.outcome}: ${data.reason}`);
  stopPlan(fold, atMs, () => false);
  for (const [index, span] of fold.spans.entries()) {
    if (span.endMs === undefined) fold.spans[index] = { ...span, endMs: Math.max(atMs, span.startMs) };
  }
}

function mark(fold: Fold, kind: MarkKind, atMs: number, text = ""): void {
  fold.marks.push({ kind, atMs, text });
}

function openSpan(fold: Fold, kind: PlanSpanKind, startMs: number): void {
  if (fold.spans.some((span) => span.kind === kind && span.endMs === undefined)) return;
  fold.spans.push({ kind, startMs });
}

function closeSpan(fold: Fold, kind: PlanSpanKind, endMs: number): void {
  const index = fold.spans.findIndex((span) => span.kind === kind && span.endMs === undefined);
  const span = fold.spans[index];
  if (span !== undefined) fold.spans[index] = { ...span, endMs: Math.max(endMs, span.startMs) };
}
