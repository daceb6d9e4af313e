/** Applies what workers report about attempts, and the faults that the dispatcher finds. */
import type { NextPlan, StepEntry, StepState } from "../plan-state.ts";
import { ALLOWANCE_SPENT, MODEL_UNAVAILABLE } from "../../values/codes.ts";
import type {
  StepAsked,
  StepFailed,
  StepSkipped,
  StepStarted,
  StepSucceeded,
} from "../../events/step-events.ts";
import type { StepId } from "../../values/ids.ts";
import { setTimer } from "../changes.ts";
import { endOf, retryAfterFailure, type AttemptRun, isSameAttempt, attemptsMaxOf } from "./attempts.ts";
import { forfeitReserve, holderOf, countWork } from "../budget/budget-ledger.ts";
import { proceedToEnd } from "../ending/conclusion.ts";
import { watchAttempt } from "../deadlines.ts";
import { pauseForModel } from "../model-outage.ts";
import { noteOutput } from "../record-facts.ts";
import { noteSubPlan } from "../noted.ts";
import { deliver, keepBest, reviewedAttempts } from "../review/review-transitions.ts";
import { requestRevision } from "../drafting/revisions.ts";
import { settleRun } from "./item-transitions.ts";
import { itemOf, nameOf, runOf, setState } from "./runs.ts";
import { reviseAfterLoss } from "../links/loss.ts";
import { isLost } from "../links/standing.ts";
import { isUndecided } from "./step-state.ts";
import { askToSkip, hasOpenDependents, makeReady } from "./step-transitions.ts";
import { settleTies } from "../links/settle-ties.ts";
import { isTied, noteEnd } from "../links/ties.ts";
import { closeSubPlan, openSubPlan } from "../sub-plans.ts";

/** Records the start of an attempt. Only the first start counts, until the attempt's message is delivered again. */
export function start(next: NextPlan, { data, at }: StepStarted): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running") return false;
  const { state } = entry;
  const { workerId, delivery } = data;
  if (state.startedAt !== undefined && delivery <= (state.delivery ?? 1)) return false;
  if (state.stopping !== undefined) return false;
  next.starts += 1;
  const started = { ...entry, state: { ...state, startedAt: at, workerId, delivery, start: next.starts } };
  setState(next, data.subPlan === undefined ? started : { ...started, subPlan: data.subPlan }, started.state);
  watchAttempt(next, started);
  if (data.subPlan !== undefined) {
    openSubPlan(next, data, data.subPlan);
  }
  return true;
}

export function succeed(next: NextPlan, { data, at }: StepSucceeded): boolean {
  const wasSubPlan = closeSubPlan(next, data);
  const entry = openAttempt(next, data);
  if (entry === undefined || awaitsLeave(entry)) return wasSubPlan && countUnwanted(next, data);
  countUsage(next, data);
  if (data.artifacts.length > 0) next.artifacts = next.artifacts.push(...data.artifacts);
  const mark = data.truncated === undefined ? {} : { truncated: data.truncated };
  const part = data.partial === undefined ? {} : { partial: data.partial };
  const state = { status: "succeeded", ...endOf(data, at), output: data.output, ...mark, ...part } as const;
  if (!isStopping(entry)) {
    // Before the dependents become ready: the revision may drop them.
    if (data.replan !== undefined) {
      const { reason } = data.replan;
      requestRevision(next, { cause: "requires_replan", stepId: data.stepId, reason });
    }
    if (entry.item === undefined) deliver(next, entry, state);
    else settleRun(next, entry, state);
    noteOutput(next, entry.grant, { data, at });
    return true;
  }
  settleRun(next, entry, state);
  proceedToEnd(next);
  return true;
}

export function fail(next: NextPlan, { data, at }: Pick<StepFailed, "data" | "at">): boolean {
  const wasSubPlan = closeSubPlan(next, data);
  const entry = openAttempt(next, data) ?? undecidedStep(next, data);
  if (entry === undefined) return wasSubPlan && countUnwanted(next, data);
  if (isStopping(entry)) {
    countUsage(next, data);
    giveUpStopping(next, entry);
    return true;
  }
  // A worker that does not know what happened to an earlier one does not know its usage either.
  if (data.uncertain === true) forfeitReserve(next, holderOf.step(data));
  countUsage(next, data, data.error.code === ALLOWANCE_SPENT ? data.stepId : undefined);
  const { step, grant } = entry;
  const isOutage = data.error.code === MODEL_UNAVAILABLE;
  if (isOutage && tryAfterOutage(next, entry, { data, at })) return true;
  const offCount = reviewedAttempts(entry) + (entry.asked ?? 0) + (entry.outages ?? 0);
  if (!data.retryable || data.attempt - offCount >= attemptsMaxOf(step, grant)) {
    if (keepBest(next, entry)) return true;
    settleRun(next, entry, { status: "failed", ...endOf(data, at), error: data.error });
    // A revision cannot fix a server.
    if (!isOutage && !isTied(next, entry)) reviseAfterLoss(next, step.id);
    return true;
  }
  const failed = retryAfterFailure({ data, at }, seedOf(next, entry), step.retry);
  const { tried: _tried, ...rest } = entry;
  const tried = data.modelTries === undefined ? {} : { tried: data.modelTries };
  const failedAttempts = [...entry.failedAttempts, failed];
  waitForRetry(next, { ...rest, ...tried, failedAttempts }, data.attempt + 1, failed.retryAt);
  return true;
}

/** Retries the step once the plan resumes, without counting this attempt. Returns false if the step has failed permanently. */
function tryAfterOutage(
  next: NextPlan,
  entry: StepEntry,
  { data, at }: Pick<StepFailed, "data" | "at">,
): boolean {
  const { attempt, error, retryAfterMs, uncertain } = data;
  if (entry.grant.effect === "once" || uncertain === true) return false;
  if (!pauseForModel(next, { message: error.message, at, retryAfterMs })) return false;
  const failed = { attempt, error, at, retryAt: next.pause?.until ?? at };
  const failedAttempts = [...entry.failedAttempts, failed];
  const { tried: _tried, ...rest } = entry;
  makeReady(next, { ...rest, failedAttempts, outages: (entry.outages ?? 0) + 1 }, attempt + 1);
  return true;
}

/** Gives items that fail together different delays. */
function seedOf({ planId }: NextPlan, { step, item }: StepEntry): string {
  return item === undefined ? `${planId}/${step.id}` : `${planId}/${step.id}/${item.index}`;
}

function waitForRetry(next: NextPlan, entry: StepEntry, attempt: number, at: string): void {
  const timer = `retry-${entry.step.id}-${itemOf(entry)}-${attempt}`;
  setTimer(next, timer, { kind: "retry", ...nameOf(entry), at });
  setState(next, entry, { status: "waiting", for: "retry", attempt });
}

/** Skips steps that turned out not to be needed. */
function passOver(next: NextPlan, { stepIds, because, reason }: StepSkipped["data"]): boolean {
  const state = { status: "skipped", because, reason, passedOver: true } as const;
  const isWanted = (stepId: StepId): boolean => {
    const entry = next.steps.get(stepId);
    return entry !== undefined && isUndecided(entry.state);
  };
  let passed = 0;
  // Skipping one step may make another unnecessary.
  for (let stepId = stepIds.find(isWanted); stepId !== undefined; stepId = stepIds.find(isWanted)) {
    const entry = next.steps.get(stepId);
    if (entry !== undefined) settleRun(next, entry, state);
    settleTies(next);
    passed += 1;
  }
  return passed > 0;
}

export function skip(next: NextPlan, { data }: StepSkipped): boolean {
  if (data.passedOver === true) return passOver(next, data);
  const cause = next.steps.get(data.because);
  // The dispatcher decided this before the step was retried.
  if (cause?.redriven !== undefined && !isLost(cause)) return false;
  const state: StepState = { status: "skipped", because: data.because, reason: data.reason };
  let skipped = 0;
  for (const stepId of data.stepIds) {
    const entry = next.steps.get(stepId);
    if (entry?.state.status !== "waiting") continue;
    setState(next, entry, state);
    if (isTied(next, entry)) noteEnd(next, entry);
    skipped += 1;
  }
  next.unskipped = next.unskipped.delete(data.because);
  const ends = new Set(next.ends);
  // A draft that is still being written may have added dependents since the dispatcher looked.
  for (const stepId of new Set([data.because, ...data.stepIds])) {
    // A linked step is not lost before the steps linked to it have been considered.
    if (ends.has(stepId)) continue;
    if (isLost(next.steps.get(stepId)) && hasOpenDependents(next, stepId)) askToSkip(next, stepId);
  }
  return skipped > 0;
}

type OpenEntry = StepEntry & {
  readonly state: Extract<StepState, { status: "running" | "awaiting-approval" }>;
};

/** Returns the step of an attempt without an outcome: it is running, awaits approval, or its outcome is presumed lost. */
export function openAttempt(
  next: NextPlan,
  run: AttemptRun & { readonly item: number },
): OpenEntry | undefined {
  const entry = runOf(next, run);
  if (entry?.state.status !== "running" && entry?.state.status !== "awaiting-approval") return undefined;
  const { state } = entry;
  return isSameAttempt(state, run) ? { ...entry, state } : undefined;
}

/** Returns the step that the dispatcher reports as unable to run before it has started. */
function undecidedStep(
  next: NextPlan,
  { stepId, item, attempt }: AttemptRun & { readonly item: number },
): StepEntry | undefined {
  const entry = item === 0 ? next.steps.get(stepId) : undefined;
  if (entry === undefined || !isUndecided(entry.state)) return undefined;
  return entry.state.status === "waiting" && entry.state.attempt === attempt ? entry : undefined;
}

function isStopping({ state }: StepEntry): boolean {
  return state.status === "running" && state.stopping !== undefined;
}

/** Cancels a step that had to stop: no result of it is known that would need compensation. */
export function giveUpStopping(next: NextPlan, entry: StepEntry): void {
  const { state } = entry;
  if (state.status !== "running" || state.stopping === undefined) return;
  forfeitReserve(next, holderOf.step({ ...nameOf(entry), attempt: state.attempt }));
  setState(next, entry, { status: "cancelled", reason: state.stopping.reason });
  proceedToEnd(next);
}

/** Whether a step waits for approval before any worker runs it. Its arguments are resolved before the request. */
function awaitsLeave({ state }: OpenEntry): boolean {
  if (state.status !== "awaiting-approval") return false;
  return state.about.kind !== "outcome-unknown" || state.about.call !== undefined;
}

/** Counts the usage of a sub-plan whose result is not needed any more. */
function countUnwanted(next: NextPlan, data: StepSucceeded["data"] | StepFailed["data"]): boolean {
  countUsage(next, data);
  proceedToEnd(next);
  return true;
}

export function countUsage(
  next: NextPlan,
  data: StepSucceeded["data"] | StepFailed["data"] | StepAsked["data"],
  spent?: StepId,
): void {
  const { usage, forfeited, stepsSent } = data;
  noteSubPlan(next, data.tally, "output" in data);
  countWork(next, holderOf.step(data), { usage, forfeited, stepsSent, spent });
}
