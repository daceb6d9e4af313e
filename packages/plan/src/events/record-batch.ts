/**
 * The format of a message of the log: one event, or a batch of events that one writer stores together.
 *
 * A batch is stored whole or not at all. The fold accepts each of its events, or does not, as if it stood alone.
 */
import { z } from "zod";
import { isObject } from "../values/json.ts";
import { readEvent } from "./read-event.ts";

export const BATCH_EVENTS_MAX = 256;
/** Of the events in a batch, as JSON. */
export const BATCH_BYTES_MAX = 512 * 1024;

const RecordBatch = z.object({
  /** Grows when older versions can't read a batch. */
  batch: z.literal(1),
  events: z.array(z.unknown()).min(1).max(BATCH_EVENTS_MAX),
});

/** @param events - Each as JSON. One is stored by itself, as it is. */
export function batchText(events: readonly string[]): string {
  const [first = ""] = events;
  return events.length === 1 ? first : `{"batch":1,"events":[${events.join(",")}]}`;
}

/** What a message says at one place: an event, or what is wrong with it. */
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

/** Cuts events that are to be stored into batches that no limit forbids. An event above the limit is alone. */
export function* cutBatches<Sized extends { readonly bytes: number }>(
  events: Iterable<Sized>,
  mayShare: (before: Sized, next: Sized) => boolean,
): Generator<Sized[]> {
  let batch: Sized[] = [];
  let bytes = 0;
  for (const next of events) {
    const before = batch.at(-1);
    const isFull = batch.length === BATCH_EVENTS_MAX || bytes + next.bytes > BATCH_BYTES_MAX;
    if (before !== undefined && (isFull || !mayShare(before, next))) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(next);
    bytes += next.bytes;
  }
  if (batch.length > 0) yield batch;
}
