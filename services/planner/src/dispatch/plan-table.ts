/** The open plans of this owner, folded from the log. */
import {
  evolve,
  isEnded,
  LogReading,
  noPlan,
  partitionOf,
  type Plan,
  type PlanEvent,
  type PlanId,
} from "@planwright/plan";
import {
  type Bus,
  isDecisionSubject,
  isFlowSubject,
  type LogEntry,
  planIdIn,
  readPlanEvents,
  type UnknownEntry,
} from "@planwright/shared/bus";
import type { OwnedPlan } from "./owned-plan.ts";

/** An owned plan after an event, and the plan before it. */
export type Folded = { readonly owned: OwnedPlan; readonly before: Plan };

export type PlanTable = {
  /** Folds one event. Returns the plan when the event changed it, or showed that events before it are missing. */
  fold(entry: LogEntry): Folded | undefined;
  /** Records a message of a type unknown to this version: later decisions have to expect it. */
  note(entry: UnknownEntry): void;
  /** Adds a plan that was read individually. */
  add(owned: OwnedPlan): void;
  /** The open plans of these partitions. */
  open(partitions: ReadonlySet<number>): Iterable<OwnedPlan>;
  get(planId: PlanId): OwnedPlan | undefined;
  /** Forgets one plan. Returns whether it was known. */
  remove(planId: PlanId): boolean;
  /** Forgets the plans of a partition. */
  drop(partition: number): void;
};

export function createPlanTable(): PlanTable {
  const plans = new Map<string, OwnedPlan>();
  return {
    fold(entry) {
      const { event, sequence } = entry;
      const owned = plans.get(event.planId);
      if (owned === undefined) {
        const added = begin(entry);
        if (added === undefined) return undefined;
        plans.set(event.planId, added);
        return { owned: added, before: noPlan };
      }
      const before = owned.plan;
      if (sequence <= owned.readTo || !advance(owned, entry)) return undefined;
      if (isEnded(owned.plan)) plans.delete(event.planId);
      return { owned, before };
    },
    note(entry) {
      const owned = plans.get(planIdIn(entry.subject));
      if (owned !== undefined && entry.sequence > owned.readTo) noteMessage(owned, entry);
    },
    add: (owned) => void plans.set(owned.plan.planId, owned),
    *open(partitions) {
      for (const owned of plans.values()) if (partitions.has(partitionOf(owned.plan.planId))) yield owned;
    },
    get: (planId) => plans.get(planId),
    remove: (planId) => plans.delete(planId),
    drop(partition) {
      for (const { plan } of plans.values())
        if (partitionOf(plan.planId) === partition) plans.delete(plan.planId);
    },
  };
}

/** Reads one plan's log to its current end. Undefined when the plan is unknown or has ended. */
export async function readOwnedPlan(
  bus: Bus,
  { planId, firstSequence }: { planId: PlanId; firstSequence: number },
): Promise<OwnedPlan | undefined> {
  let owned: OwnedPlan | undefined;
  let readTo = 0;
  const onUnknown = (entry: UnknownEntry): void => {
    if (owned !== undefined) noteMessage(owned, entry);
    readTo = entry.sequence;
  };
  for await (const entry of readPlanEvents(bus, planId, { from: firstSequence, onUnknown })) {
    // Its end left the log while we were reading.
    if (isTombstone(entry.event)) return undefined;
    if (owned === undefined) owned = begin(entry);
    else advance(owned, entry);
    readTo = entry.sequence;
  }
  return owned === undefined || isEnded(owned.plan) ? undefined : { ...owned, readTo };
}

/** Whether the event is what remains of a plan whose end has left the log. */
export function isTombstone({ type }: PlanEvent): boolean {
  return type === "plan.archived" || type === "plan.deleted";
}

function begin(entry: LogEntry): OwnedPlan | undefined {
  const { sequence } = entry;
  const plan = evolve(noPlan, atServerTime(entry));
  if (plan.status === "absent") return undefined;
  const reading = new LogReading();
  reading.add(entry.subject);
  const place = { firstSequence: sequence, readTo: 0, last: sequence, read: sequence, fence: 0, flow: 0 };
  return { plan, reading, ...place, recording: Promise.resolve(), unread: new Set() };
}

/** Folds an event. Returns whether it changed the plan, or showed that its log is incomplete. */
function advance(owned: OwnedPlan, entry: LogEntry): boolean {
  const { plan: before, reading } = owned;
  const missing = owned.missing === undefined ? reading.missingBefore(before, entry.event) : undefined;
  noteMessage(owned, entry);
  owned.unread.delete(entry.event.id);
  if (missing !== undefined) owned.missing = missing;
  const plan = evolve(before, atServerTime(entry));
  if (plan === before || plan.status === "absent") return missing !== undefined;
  owned.plan = plan;
  return true;
}

/**
 * The event with the time at which the server stored it, because the plan's waiting times are computed from it: a worker whose
 * clock is an hour ahead must not make its plan wait for an hour.
 */
function atServerTime({ event, storedAtMs }: LogEntry): PlanEvent {
  return { ...event, at: new Date(storedAtMs).toISOString() };
}

/** Records what the next decision and the next start of a step have to expect, and the end of the plan's log. */
function noteMessage(owned: OwnedPlan, { subject, sequence, isLast }: UnknownEntry): void {
  owned.reading.add(subject);
  if (isLast) {
    owned.read = sequence;
    owned.last = Math.max(owned.last, sequence);
  }
  if (isDecisionSubject(subject)) owned.fence = Math.max(owned.fence, sequence);
  else if (isFlowSubject(subject)) owned.flow = Math.max(owned.flow, sequence);
}
