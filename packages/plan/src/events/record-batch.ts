/**
 * The format of a log message: one event, or a batch of events that one writer stores together.
 *
 * A batch is stored as a whole or not at all. The fold accepts or rejects each of its events separately.
 */
import { z } from "zod";
import type { PlanId } from "../values/ids.ts";
import { isObject } from "../values/json.ts";
import { sha256 } from "../values/sha256.ts";
import { PlanEvent } from "./plan-event.ts";
import { isPlainSuccess, type StepSucceeded } from "./step-events.ts";

export const BATCH_EVENTS_MAX = 256;
/** Maximum size of the events in a batch, as JSON. */
export const BATCH_BYTES_MAX = 512 * 1024;

const RecordBatch = z.object({
  /** Increases when older versions can't read a batch. */
  batch: z.literal(1),
  events: z.array(z.unknown()).min(1).max(BATCH_EVENTS_MAX),
});

/** @param events - Each as JSON. A single event is stored unchanged, without a batch. */
export function batchText(events: readonly string[]): string {
  const [first = ""] = events;
  return events.length === 1 ? first : `{"batch":1,"events":[${events.join(",")}]}`;
}

/**
 * Names a message with these events. A batch's name is made of theirs, so that the server does not mistake a batch that is cut
 * differently for a duplicate.
 *
 * @param ids - The ids of the events, in order; at least one.
 */
export function batchId(planId: PlanId, ids: readonly string[]): string {
  const [first = ""] = ids;
  return ids.length === 1 ? first : `${planId}/batch/${sha256(JSON.stringify(ids))}`;
}

/** One entry of a message: an event, or the fault in it. */
export type ReadRecord = ReturnType<typeof readEvent>;

/**
 * Reads a message of the log.
 *
 * @param value - Decoded JSON.
 * @returns Its events in order, at least one; a batch that can't be read is one unknown event.
 */
export function readRecords(value: unknown): readonly ReadRecord[] {
  if (!isObject(value) || value["batch"] === undefined) return [readEvent(value)];
  const { data, error } = RecordBatch.safeParse(value);
  return data === undefined ? [{ issues: error.issues }] : data.events.map(readEvent);
}

/**
 * Reads an event from the log. By far the most frequent one, a step's plain success, is recognized by its form; everything else
 * is parsed.
 *
 * @param value - Decoded JSON.
 * @returns The fault, if it is not an event that this version knows.
 */
export function readEvent(
  value: unknown,
): { readonly event: PlanEvent } | { readonly issues: readonly z.core.$ZodIssue[] } {
  if (isPlainSuccess(value)) return { event: value as StepSucceeded };
  const parsed = PlanEvent.safeParse(value);
  return parsed.success ? { event: parsed.data } : { issues: parsed.error.issues };
}

/** Events that are stored together. */
export type Batch<Sized> = { readonly all: readonly Sized[]; readonly last: Sized };

/** Cuts events into batches within the limits. An event above the limit is stored alone. */
export function* cutBatches<Sized extends { readonly bytes: number }>(
  events: Iterable<Sized>,
  mayShare: (before: Sized, next: Sized) => boolean,
): Generator<Batch<Sized>> {
  let all: Sized[] = [];
  let bytes = 0;
  let last: Sized | undefined;
  for (const next of events) {
    const isFull = all.length === BATCH_EVENTS_MAX || bytes + next.bytes > BATCH_BYTES_MAX;
    if (last !== undefined && (isFull || !mayShare(last, next))) {
      yield { all, last };
      all = [];
      bytes = 0;
    }
    all.push(next);
    bytes += next.bytes;
    last = next;
  }
  if (last !== undefined) yield { all, last };
}
