/** Redrive: the next attempt of a step whose work was given up. */
import type { KnownPlan, NextPlan, StepEntry, StepState } from "../plan-state.ts";
import type { RedriveRequested } from "../../events/repair-events.ts";
import { DELIVERIES_EXHAUSTED } from "../../events/step-events.ts";
import type { StepId } from "../../values/ids.ts";
import { hintStop } from "../changes.ts";
import { forgetDrafts } from "../review/answer-drafts.ts";
import { forfeitReserve, holderOf } from "../budget/budget-ledger.ts";
import { reopenItem } from "./item-transitions.ts";
import { runOf } from "../runs.ts";
import { LIMITS } from "../../values/limits.ts";
import { isLost } from "../links/standing.ts";
import { primaryOf } from "../links/ties.ts";
import { askToSkip, makeReady, setState } from "./step-transitions.ts";

/**
 * Why a step cannot be redriven. All but `not_given_up` hold for ever.
 *
 * `decided`: the plan's end, or a later draft, has already been made of the failure. `may_have_acted`: the step
 * acts once, and a worker had begun.
 */
export type RedriveRefusal = "no_such_step" | "not_given_up" | "decided" | "may_have_acted";

type FailedEntry = StepEntry & { readonly state: Extract<StepState, { status: "failed" }> };

/** Undefined when `attempt` of the step can be followed by another. */
export function redriveRefusal(
  plan: KnownPlan,
  { stepId, item, attempt }: { readonly stepId: StepId; readonly item: number; readonly attempt: number },
): RedriveRefusal | undefined {
  const entry = runOf(plan, { stepId, item });
  if (entry === undefined) return "no_such_step";
  const { state, grant, draft, replaced, effects } = entry;
  if (plan.conclusion !== undefined || replaced === true || draft !== plan.drafting.number) return "decided";
  // What the items of a list have come to together is used already.
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
  if (next.joining.phase === "requested") {
    // Whoever judges the results judges the wrong ones.
    forfeitReserve(next, holderOf.join(next.joining.number));
    next.joining = { ...next.joining, phase: "none" };
    hintStop(next);
  }
  forgetDrafts(next);
  const { attempt, error, endedAt } = entry.state;
  const failed = { attempt, error, at: endedAt, retryAt: next.updatedAt };
  next.done -= 1;
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

/** Its fallback has begun, or what it was to verify has failed because of it. */
function hasConsequences({ step, standIn, excused, item }: StepEntry): boolean {
  const isFallbackCalled = item === undefined && step.fallback !== undefined && standIn !== "none";
  return isFallbackCalled || excused === true;
}

/** What a step was to stand in for may get its output after all. */
function reopenPrimaries(next: NextPlan, stepId: StepId): StepEntry[] {
  const reopened: StepEntry[] = [];
  for (let id = stepId, hops = 0; hops < LIMITS.fallbacksMax; hops++) {
    const primary = primaryOf(next, id);
    if (primary?.standIn !== "none") break;
    next.steps = next.steps.set(primary.step.id, withoutStandIn(primary));
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

/** What needed a step that was passed over, and has begun without it. */
function hasGoneOn(entry: StepEntry | undefined): boolean {
  if (entry === undefined || entry.state.status === "skipped") return false;
  const { state } = entry;
  return state.status !== "waiting" || (state.for !== "dependencies" && state.for !== "primary");
}

/** A step that was passed over had nothing to wait for; now it may run after all, and what needs it waits for it. */
function awaitAgain(next: NextPlan, stepId: StepId): void {
  const entry = next.steps.get(stepId);
  if (entry === undefined) return;
  const waiting = { ...entry, unmet: entry.unmet + 1 };
  if (entry.state.status === "waiting") setState(next, waiting, { ...entry.state, for: "dependencies" });
  else next.steps = next.steps.set(stepId, waiting);
}

/** What was skipped because of the step, or of one that was, waits again. */
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
  next.done -= reopened.size;
  return [...reopened.values()];
}
