/** Redrive: the next attempt of a dead-lettered step. */
import type { KnownPlan, NextPlan, StepEntry, StepState } from "../plan-state.ts";
import type { RedriveRequested } from "../../events/plan-event.ts";
import { DELIVERIES_EXHAUSTED } from "../../values/codes.ts";
import type { StepId } from "../../values/ids.ts";
import { forgetDrafts } from "../review/answer-drafts.ts";
import { reopenItem } from "./item-transitions.ts";
import { runOf, setState, putRun } from "./runs.ts";
import { LIMITS } from "../../values/limits.ts";
import { isLost } from "../links/standing.ts";
import { primaryOf } from "../links/ties.ts";
import { askToSkip, makeReady } from "./step-transitions.ts";
import { dropJoin } from "../ending/joins.ts";

/**
 * Why a step cannot be retried. All but `not_given_up` are permanent.
 *
 * `decided`: the failure has already led to the plan's end or a later draft. `may_have_acted`: the step runs at most
 * once, and a worker had begun.
 */
export type RedriveRefusal = "no_such_step" | "not_given_up" | "decided" | "may_have_acted";

type FailedEntry = StepEntry & { readonly state: Extract<StepState, { status: "failed" }> };

/** Returns why `attempt` of the step cannot be followed by another; undefined if it can. */
export function redriveRefusal(
  plan: KnownPlan,
  { stepId, item, attempt }: { readonly stepId: StepId; readonly item: number; readonly attempt: number },
): RedriveRefusal | undefined {
  const entry = runOf(plan, { stepId, item });
  if (entry === undefined) return "no_such_step";
  const { state, grant, draft, replaced, effects } = entry;
  if (plan.conclusion !== undefined || replaced === true || draft !== plan.drafting.number) return "decided";
  // The combined result of the items has already been used.
  const isUsed = entry.item !== undefined && plan.steps.get(stepId)?.state.status !== "repeating";
  if (isUsed || hasConsequences(entry)) return "decided";
  const isGivenUp = state.status === "failed" && state.error.code === DELIVERIES_EXHAUSTED;
  if (!isGivenUp || state.attempt !== attempt) return "not_given_up";
  const hasBegun = effects.some((effect) => effect.attempt === attempt);
  return grant.effect === "once" && hasBegun ? "may_have_acted" : undefined;
}

export function redrive(next: NextPlan, { data }: RedriveRequested): boolean {
  if (redriveRefusal(next, data) !== undefined) return false;
  const entry = runOf(next, data);
  if (!isFailed(entry)) return false;
  dropJoin(next);
  forgetDrafts(next);
  const { attempt, error, endedAt } = entry.state;
  const failed = { attempt, error, at: endedAt, retryAt: next.updatedAt };
  if (entry.item !== undefined) reopenItem(next, data.stepId);
  next.unskipped = next.unskipped.delete(data.stepId);
  const reopened = [...reopenPrimaries(next, data.stepId), ...reopenSkipped(next, data.stepId)];
  const failedAttempts = [...entry.failedAttempts, failed];
  makeReady(next, { ...again(entry), failedAttempts }, attempt + 1);
  for (const dependency of new Set(reopened.flatMap(({ dependencies }) => dependencies))) {
    if (isLost(next.steps.get(dependency))) askToSkip(next, dependency);
  }
  return true;
}

/** Whether the step's fallback has started, or the step that it verifies has failed because of it. */
function hasConsequences({ step, standIn, excused, item }: StepEntry): boolean {
  const isFallbackCalled = item === undefined && step.fallback !== undefined && standIn !== "none";
  return isFallbackCalled || excused === true;
}

/** Reopens the steps that this step is the fallback of, because they may get an output after all. */
function reopenPrimaries(next: NextPlan, stepId: StepId): StepEntry[] {
  const reopened: StepEntry[] = [];
  for (let id = stepId, hops = 0; hops < LIMITS.fallbacksMax; hops++) {
    const primary = primaryOf(next, id);
    if (primary?.standIn !== "none") break;
    putRun(next, withoutStandIn(primary));
    next.unskipped = next.unskipped.delete(primary.step.id);
    reopened.push(...reopenSkipped(next, primary.step.id));
    id = primary.step.id;
  }
  return reopened;
}

function again(entry: StepEntry): StepEntry {
  return { ...withoutStandIn(entry), redriven: (entry.redriven ?? 0) + 1 };
}

function withoutStandIn({ standIn: _standIn, ...entry }: StepEntry): StepEntry {
  return entry;
}

function isFailed(entry: StepEntry | undefined): entry is FailedEntry {
  return entry?.state.status === "failed";
}

/** Whether a dependent of an unneeded step has started without it. */
function hasGoneOn(entry: StepEntry | undefined): boolean {
  if (entry === undefined || entry.state.status === "skipped") return false;
  const { state } = entry;
  return state.status !== "waiting" || (state.for !== "dependencies" && state.for !== "primary");
}

/** Makes a dependent of a skipped step wait for that step again, because the step may run after all. */
function awaitAgain(next: NextPlan, stepId: StepId): void {
  const entry = next.steps.get(stepId);
  if (entry === undefined) return;
  const waiting = { ...entry, unmet: entry.unmet + 1 };
  if (entry.state.status === "waiting") setState(next, waiting, { ...entry.state, for: "dependencies" });
  else putRun(next, waiting);
}

/** Makes the steps that were skipped because of this step wait again, including indirect ones. */
function reopenSkipped(next: NextPlan, stepId: StepId): StepEntry[] {
  const reopened = new Map<StepId, StepEntry>();
  const pending = [stepId];
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    for (const dependent of next.steps.get(id)?.dependents ?? []) {
      const entry = next.steps.get(dependent);
      if (entry?.state.status !== "skipped" || hasConsequences(entry)) continue;
      const { because } = entry.state;
      if (because !== stepId && !reopened.has(because)) continue;
      const wasPassedOver = entry.state.passedOver === true;
      if (wasPassedOver && entry.dependents.some((one) => hasGoneOn(next.steps.get(one)))) continue;
      const waiting = { status: "waiting", for: "dependencies", attempt: 1 } as const;
      setState(next, again(entry), waiting);
      next.unskipped = next.unskipped.delete(dependent);
      if (wasPassedOver) for (const one of entry.dependents) awaitAgain(next, one);
      reopened.set(dependent, entry);
      pending.push(dependent);
    }
  }
  return [...reopened.values()];
}
