/** What is known of each effect: one record for each attempt of a step that changes something. */
import type { PlanEvent } from "../events/plan-event.ts";
import type { StepFailed, StepInterrupted, StepStarted, StepSucceeded } from "../events/step-events.ts";
import type { EffectRecord, StepEntry } from "./plan-state.ts";

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

/**
 * The entry with what a worker said of an effect; the same entry when that tells nothing new.
 *
 * What a worker knows for certain replaces what was not known, and nothing replaces what was done: an outcome may
 * arrive after another was decided on, also after the plan's end.
 */
export function noteEffect(entry: StepEntry, event: EffectFact): StepEntry {
  const { data, at } = event;
  if (entry.grant.effect === "read" || data.item !== 0 || data.undo === true) return entry;
  const known = entry.effects.find(({ attempt }) => attempt === data.attempt);
  const status = statusAfter(known?.status, event);
  if (status === undefined || status === known?.status) return entry;
  return withEffect(entry, { attempt: data.attempt, status, at, by: data.workerId });
}

/** The entry with one attempt's record replaced, or added. */
export function withEffect(entry: StepEntry, record: EffectRecord): StepEntry {
  const others = entry.effects.filter(({ attempt }) => attempt !== record.attempt);
  if (others.length >= RECORDS_MAX) return entry;
  const effects = [...others, record].toSorted((left, right) => left.attempt - right.attempt);
  return { ...entry, effects };
}

type Status = EffectRecord["status"];

/** Undefined when the fact tells nothing new. A worker that acts has said first that it begins. */
function statusAfter(known: Status | undefined, event: EffectFact): Status | undefined {
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
    default:
      event satisfies never;
      return undefined;
  }
}
