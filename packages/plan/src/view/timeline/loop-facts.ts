/** How events about loops and about approvals change the timeline. */
import type { StepAsked } from "../../events/step-events.ts";
import type { StepOutput } from "../../events/values.ts";
import { LIMITS } from "../../values/limits.ts";
import { awaitDecision, endAttempt, type EventOf, openRun, settleItem, workKind } from "./attempts.ts";
import { isCallNamed } from "../../machine/loop/loop-calls.ts";
import { enter } from "./course.ts";
import { type Fold, type Run, runOf } from "./fold.ts";
import { makeReady, offer, settleRun, settleStep } from "./readiness.ts";

/** It is unknown whether the run took effect: a person decides, unless its outcome arrives after all. */
export function interrupt(fold: Fold, event: EventOf<"step.interrupted">, atMs: number): void {
  const run = openRun(fold, event);
  if (run !== undefined) awaitDecision(run, atMs);
}

/** Its attempt has ended at a call of its loop about which a person decides. */
export function ask(fold: Fold, event: StepAsked): void {
  const run = openRun(fold, event);
  if (run === undefined) return;
  const workMs = endAttempt(fold, run, event);
  awaitDecision(run, workMs);
  run.call = event.data.call;
}

/** A turn of several calls begins: until all of them are over, tools are at work. */
export function startTurn(fold: Fold, { data }: EventOf<"turn.started">, atMs: number): void {
  const run = runOf(fold, data);
  if (run === undefined || run.state === "settled" || run.turn !== undefined) return;
  run.turn = { turn: data.turn, missing: new Set(data.calls.map((_call, index) => index + 1)) };
  if (run.workFrom !== undefined) enter(run, { kind: workKind(run), attempt: run.attempt }, atMs);
}

/** A call of a loop that changes something begins: until it is over, a tool is at work. */
export function beginCall(fold: Fold, { data }: EventOf<"call.started">, atMs: number): void {
  const run = runOf(fold, data);
  if (run?.workFrom !== undefined) enter(run, { kind: "tool", attempt: run.attempt }, atMs);
}

export function takeTurn(fold: Fold, { data }: EventOf<"turn.taken">, atMs: number): void {
  const run = runOf(fold, data);
  if (run === undefined || run.state === "settled") return;
  if (run.turn?.turn === data.turn && data.call !== undefined) run.turn.missing.delete(data.call);
  if (run.turn?.missing.size === 0) delete run.turn;
  if (run.workFrom !== undefined) enter(run, { kind: workKind(run), attempt: run.attempt }, atMs);
  else if (run.state === "asked" && run.call !== undefined && isCallNamed(run.call, data))
    goOnAfterQuestion(fold, run, atMs);
}

function goOnAfterQuestion(fold: Fold, run: Run, atMs: number): void {
  delete run.call;
  run.asked += 1;
  run.attempt += 1;
  makeReady(fold, run, atMs);
}

/** The pause before its next attempt is over. */
export function tryAgain(fold: Fold, run: Run, atMs: number): void {
  if (run !== run.of.undo) {
    makeReady(fold, run, atMs);
    return;
  }
  run.state = "ready";
  enter(run, { kind: "queue" }, atMs);
}

type Decision = {
  readonly kind: string;
  readonly decision: string;
  readonly atMs: number;
  /** Of what has happened after all. */
  readonly output?: StepOutput | undefined;
};

/** Applies a person's decision about a run, or its expiry. */
export function decide(fold: Fold, run: Run, { kind, decision, atMs, output }: Decision): void {
  if (run.state === "settled") return;
  const at = { workMs: atMs, atMs };
  if (run.call !== undefined) {
    goOnAfterQuestion(fold, run, atMs);
  } else if (kind === "outcome-unknown" && decision === "run-again" && run.attempt < LIMITS.attemptsMax) {
    run.attempt += 1;
    tryAgain(fold, run, atMs);
  } else if (decision === "approve") {
    run.approved = true;
    makeReady(fold, run, atMs);
  } else {
    const isGood = decision === "happened" || decision === "answer";
    const status = isGood ? "succeeded" : "failed";
    if (run === run.of.undo) settleRun(fold, run, status, atMs);
    else if (run.item !== undefined) settleItem(fold, run, status, at);
    else if (isGood) offer(fold, run.of, output, at);
    else settleStep(fold, run.of, status, at);
  }
}
