/** Attempts: which run one is of, what it did, and what follows from its end. */
import { AGENT_REACT, PLAN_RUN } from "../../language/tool-names.ts";
import { CODE_RUN } from "../../arguments/code-run.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import type { StepAsked, StepFailed, StepStarted, StepSucceeded } from "../../events/step-events.ts";
import type { Usage } from "../../events/values.ts";
import { stepReviewOf } from "../../machine/review/review-gates.ts";
import { attemptsMaxOf } from "../../machine/step/attempts-max.ts";
import { endWork, enter } from "./course.ts";
import { type Fold, newRun, type Run, runOf, type StepFold } from "./fold.ts";
import { offer, settleRun, settleStep, startItems } from "./readiness.ts";
import { stopPlan } from "./stops.ts";
import type { BarStatus, SegmentKind } from "./timeline.ts";

export type EventOf<Type extends PlanEvent["type"]> = Extract<PlanEvent, { type: Type }>;
type Outcome = StepSucceeded | StepFailed | StepAsked;

/** The run that a fact is about, as long as it may still say something of it. */
export function openRun(
  fold: Fold,
  event: StepStarted | Outcome | EventOf<"step.interrupted">,
): Run | undefined {
  const { data, at } = event;
  const undo = "undo" in data ? data.undo : undefined;
  const run = undo === true ? undoRun(fold, data.stepId, Date.parse(at) - fold.zeroMs) : runOf(fold, data);
  return run?.state === "settled" ? undefined : run;
}

/** What undoes a step has no fact of its own before it begins. */
function undoRun(fold: Fold, stepId: string, atMs: number): Run | undefined {
  const entry = fold.steps.get(stepId);
  if (entry === undefined) return undefined;
  stopPlan(fold, atMs, (run) => run === run.of.undo);
  if (entry.undo === undefined) {
    entry.undo = newRun(entry, atMs);
    entry.undo.state = "ready";
    enter(entry.undo, { kind: "queue" }, atMs);
  }
  return entry.undo;
}

/** By the tool and its grant, and once the attempt is over by what it has used. */
export function workKind({ of: { step, grant }, turn }: Run, usage?: Usage): SegmentKind {
  if (step.tool === PLAN_RUN) return "sub-plan";
  if (turn !== undefined) return "tool";
  if (step.tool === CODE_RUN) return "tool";
  if (usage !== undefined && step.tool !== AGENT_REACT) return usage.modelCalls > 0 ? "model" : "tool";
  return grant.modelTokens === undefined ? "tool" : "model";
}

/** Returns when its work was over. */
export function endAttempt(fold: Fold, run: Run, { data, at }: Outcome): number {
  const { attempt, startedAt, durationMs, usage } = data;
  const startMs = Date.parse(startedAt) - fold.zeroMs;
  const endMs = Math.min(startMs + durationMs, Date.parse(at) - fold.zeroMs);
  run.attempt = attempt;
  delete run.start;
  return endWork(run, { kind: workKind(run, usage), attempt }, { startMs, endMs });
}

type Failure = { readonly workMs: number; readonly atMs: number; readonly retryable: boolean };

export function failAttempt(fold: Fold, run: Run, { workMs, atMs, retryable }: Failure): void {
  const { of, item, attempt, rejected, asked } = run;
  const isUndo = run === of.undo;
  const spent = attempt - rejected - asked;
  const most = isUndo ? undoAttempts(of) : attemptsMaxOf(of.step, of.grant);
  if (retryable && spent < most) {
    const next = attempt + 1;
    run.state = "retrying";
    run.attempt = next;
    fold.timers.set(`retry-${of.step.id}-${isUndo ? "undo" : (item ?? 0)}-${next}`, run);
    enter(run, { kind: "retry" }, workMs);
    return;
  }
  if (isUndo) settleRun(fold, run, "failed", workMs);
  else if (item !== undefined) settleItem(fold, run, "failed", { workMs, atMs });
  // A try to make a rejected draft better has failed: what there was before stands.
  else if (rejected > 0 && stepReviewOf(fold.goal, of.step, of.grant)?.onMiss === "keep")
    offer(fold, of, run.output, { workMs, atMs });
  else settleStep(fold, of, "failed", { workMs, atMs });
}

function undoAttempts({ step: { compensate }, compensateGrant }: StepFold): number {
  if (compensate === undefined || compensateGrant === undefined) return 1;
  return attemptsMaxOf(compensate, compensateGrant);
}

export function settleItem(
  fold: Fold,
  run: Run,
  status: Exclude<BarStatus, "open">,
  { workMs, atMs }: { workMs: number; atMs: number },
): void {
  settleRun(fold, run, status, workMs);
  startItems(fold, run.of, atMs);
  settleWhole(fold, run.of, atMs);
}

/** A step that runs for each of a list is over when its items are. */
export function settleWhole(fold: Fold, entry: StepFold, atMs: number): void {
  const { items, run } = entry;
  if (run.open?.kind !== "items" || items.some(({ state }) => state !== "settled")) return;
  const hasFailed = items.length > 0 && items.every(({ status }) => status !== "succeeded");
  const at = { workMs: atMs, atMs };
  if (hasFailed) settleStep(fold, entry, "failed", at);
  else offer(fold, entry, undefined, at);
}

/** The run waits for a person. */
export function awaitDecision(run: Run, atMs: number): void {
  run.state = "asked";
  run.workFrom = undefined;
  delete run.start;
  enter(run, { kind: "wait", why: "approval" }, atMs);
}
