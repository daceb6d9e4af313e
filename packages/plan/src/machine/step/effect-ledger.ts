/** What is known of each effect: one record for each attempt of a step, or of its compensation, that changes something. */
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

/** Far more than a step may have attempts; facts that no service of ours would write stop here. */
const RECORDS_MAX = 100;

/** Notes what the event says of an effect. Returns false when that is nothing new. */
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
 * The entry with what a worker said of an effect; the same entry when that tells nothing new.
 *
 * What a worker knows for certain replaces what was not known, and nothing replaces what was done: an outcome may
 * arrive after another was decided on, also after the plan's end.
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

/** The step was cancelled, and nothing will undo it in this plan. */
function isGivenUp({ step, item, state, compensateGrant }: StepEntry): boolean {
  const isUndoable = item === undefined && step.compensate !== undefined && compensateGrant !== undefined;
  return isUndoable && state.status === "cancelled";
}

/** The entry with one attempt's record replaced, or added. */
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

/** Undefined when the fact tells nothing new. A worker that acts has said first that it begins. */
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
