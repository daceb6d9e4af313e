/**
 * The guarantees for every plan, whatever fails, checked in its log: an accepted plan
 *
 *   PROMISE-1. ends, and once;
 *   PROMISE-2. has one outcome for each attempt;
 *   PROMISE-3. starts no step before its dependencies have succeeded;
 *   PROMISE-4. starts nothing with an effect after its cancellation is recorded;
 *   PROMISE-5. shows its watchers the events in the log, in order, without gap or repeat;
 *   PROMISE-6. has each of its effects applied at most once for its key.
 */
import {
  counts,
  deliveredBy,
  dependenciesOf,
  evolve,
  isEnded,
  noPlan,
  type Plan,
  type PlanEvent,
  type PlanId,
  type StepId,
} from "@planwright/plan";
import { factSubject, type StoredEvent } from "@planwright/shared/bus";
import type { SeenEvent } from "../system/client.ts";

export type PlanRecord = {
  readonly planId: PlanId;
  /** The plan's log, all of it, in stream order. */
  readonly stored: readonly StoredEvent[];
  /** The events received by one watcher, over all its connections; absent without a watcher. */
  readonly seen?: readonly SeenEvent[];
};

/** Describes each broken promise, with the plan's id; empty if none was broken. */
export function brokenPromises({ planId, stored, seen }: PlanRecord): string[] {
  const broken: string[] = [];
  const say = (rule: string, what: string): void => void broken.push(`${rule} ${planId}: ${what}`);
  const outcomes = new Set<string>();
  const succeeded = new Set<string>();
  const accepted: PlanEvent[] = [];
  let plan: Plan = noPlan;
  let ends = 0;
  for (const { event } of stored) {
    if (event.type === "plan.ended") ends += 1;
    if (event.type === "step.succeeded" || event.type === "step.failed") {
      const attempt = factSubject(event);
      if (outcomes.has(attempt)) say("PROMISE-2", `a second outcome of ${attempt}`);
      outcomes.add(attempt);
    }
    const early = tooEarly(plan, event, succeeded);
    if (early !== undefined) say("PROMISE-3", early);
    if (event.type === "step.succeeded") succeeded.add(event.data.stepId);
    const late = tooLate(plan, event);
    if (late !== undefined) say("PROMISE-4", late);
    const next: Plan = evolve(plan, event);
    if (counts(plan, next)) accepted.push(event);
    plan = next;
  }
  if (ends !== 1) say("PROMISE-1", `ended ${ends} times`);
  if (plan.status === "absent" || !isEnded(plan)) say("PROMISE-1", `is still ${plan.status}`);
  if (seen !== undefined) for (const gap of gaps(accepted, seen)) say("PROMISE-5", gap);
  return broken;
}

/** @param applied - How often the other side applied each effect key. */
export function doubledEffects(applied: ReadonlyMap<string, number>): string[] {
  return [...applied]
    .filter(([, times]) => times > 1)
    .map(([key, times]) => `PROMISE-6 ${key}: applied ${times} times`);
}

function tooEarly(plan: Plan, event: PlanEvent, succeeded: ReadonlySet<string>): string | undefined {
  if (plan.status === "absent" || !isRun(event)) return undefined;
  const entry = plan.steps.get(event.data.stepId);
  if (entry === undefined) return `${event.type} of the unknown step ${event.data.stepId}`;
  const isThere = (id: StepId) => succeeded.has(id) || deliveredBy(plan, id) !== undefined;
  const unmet = dependenciesOf(entry.step).filter((id) => !isThere(id));
  return unmet.length === 0 ? undefined : `${event.type} of ${event.data.stepId} before ${unmet.join(", ")}`;
}

function tooLate(plan: Plan, event: PlanEvent): string | undefined {
  if (plan.status !== "cancelled" || event.type !== "step.started") return undefined;
  const { stepId } = event.data;
  // The start of a read-only step can be recorded late, by a worker that had begun before.
  return plan.steps.get(stepId)?.grant.effect === "read"
    ? undefined
    : `${stepId} started after the cancellation`;
}

function isRun(
  event: PlanEvent,
): event is PlanEvent & { type: "step.started" | "step.succeeded" | "step.failed" } {
  return event.type === "step.started" || event.type === "step.succeeded" || event.type === "step.failed";
}

function gaps(accepted: readonly PlanEvent[], seen: readonly SeenEvent[]): string[] {
  const found: string[] = [];
  for (const [index, event] of accepted.entries()) {
    const told = seen[index];
    if (told?.seq !== index + 1)
      found.push(`watchers received seq ${told?.seq ?? "nothing"}, wanted ${index + 1}`);
    else if (told.event.id !== event.id)
      found.push(
        `seq ${told.seq} was ${told.event.id} of ${told.event.at}, stored is ${event.id} of ${event.at}`,
      );
  }
  if (seen.length > accepted.length)
    found.push(`watchers received ${seen.length - accepted.length} events too many`);
  return found;
}
