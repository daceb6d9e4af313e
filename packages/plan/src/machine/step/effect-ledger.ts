/** The effect ledger: one record for each attempt of a step, or of its compensation, that can change something. */
import type { PlanEvent } from "../../events/plan-event.ts";
import type {
  StepAsked,
  StepFailed,
  StepInterrupted,
  StepStarted,
  StepSucceeded,
} from "../../events/step-events.ts";
import type { CompensationEntry, EffectRecord, NextPlan, StepEntry } from "../plan-state.ts";
import { placeRun, runOf } from "./runs.ts";

export type EffectFact = StepStarted | StepSucceeded | StepFailed | StepInterrupted;

const EFFECT_FACTS: ReadonlySet<PlanEvent["type"]> = new Set<EffectFact["type"]>([
  "step.started",
  "step.succeeded",
  "step.failed",
  "step.interrupted",
]);

export function isEffectFact(event: PlanEvent): event is EffectFact {
  return EFFECT_FACTS.has(event.type);
}

/** Far more than the maximum number of attempts of a step; limits events that none of our services would write. */
const RECORDS_MAX = 100;

/** Records what the event adds about an effect. Returns false if that is nothing new. */
export function noteEffect(next: NextPlan, event: PlanEvent): boolean {
  if (!isEffectFact(event) && event.type !== "step.asked") return false;
  const { stepId, undo } = event.data;
  if (undo === true) {
    const index = next.compensations?.findIndex((one) => one.stepId === stepId) ?? -1;
    const entry = index === -1 ? undefined : next.compensations?.get(index);
    const noted = entry && withOutcome(entry, event);
    if (noted === undefined || noted === entry) return false;
    next.compensations = next.compensations?.set(index, noted);
    return true;
  }
  const entry = runOf(next, event.data);
  const noted = entry && withOutcome(entry, event);
  if (noted === undefined || noted === entry) return false;
  placeRun(next, noted);
  return true;
}

/**
 * Returns the entry with a worker's report about an effect; the same entry if the report adds nothing new.
 *
 * A certain outcome replaces an unknown one, and nothing replaces a recorded success: an outcome can arrive after a
 * different one was decided, and even after the plan's end.
 */
function withOutcome<Entry extends StepEntry | CompensationEntry>(
  entry: Entry,
  event: EffectFact | StepAsked,
): Entry {
  const { data, at } = event;
  if (entry.grant.effect === "read") return entry;
  const known = entry.effects.find(({ attempt }) => attempt === data.attempt);
  const status = statusAfter(known?.status, event);
  if (status === undefined || status === known?.status) return entry;
  const record = { attempt: data.attempt, status, at, by: data.workerId };
  const isLate = (status === "done" || status === "unknown") && "step" in entry && isGivenUp(entry);
  const late = event.type === "step.succeeded" ? event.data.output : "unknown";
  return withEffect(entry, isLate ? { ...record, late } : record);
}

/** Whether the step was cancelled although it has a compensation: this plan will not undo it. */
function isGivenUp({ step, item, state, compensateGrant }: StepEntry): boolean {
  const isUndoable = item === undefined && step.compensate !== undefined && compensateGrant !== undefined;
  return isUndoable && state.status === "cancelled";
}

/** Returns the entry with one attempt's record replaced or added. */
export function withEffect<Entry extends StepEntry | CompensationEntry>(
  entry: Entry,
  record: EffectRecord,
): Entry {
  const others = entry.effects.filter(({ attempt }) => attempt !== record.attempt);
  if (others.length >= RECORDS_MAX) return entry;
  const effects = [...others, record].toSorted((left, right) => left.attempt - right.attempt);
  return { ...entry, effects };
}

type Status = EffectRecord["status"];

/** Returns undefined if the event adds nothing new. A worker reports its start before it acts. */
function statusAfter(known: Status | undefined, event: EffectFact | StepAsked): Status | undefined {
  if (known === undefined) return event.type === "step.started" ? "started" : undefined;
  if (known === "done") return undefined;
  switch (event.type) {
    case "step.started":
      return undefined;
    case "step.succeeded":
      return "done";
    case "step.failed":
      return event.data.uncertain === true ? "unknown" : "failed";
    case "step.interrupted":
      return known === "started" ? "unknown" : undefined;
    case "step.asked":
      return known === "started" ? "asked" : undefined;
    default:
      event satisfies never;
      return undefined;
  }
}
