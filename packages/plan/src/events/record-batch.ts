/**
 * The format of a message of the log: one event, or a batch of events that one writer stores together.
 *
 * A batch is stored whole or not at all. The fold accepts each of its events, or does not, as if it stood alone.
 */
import { z } from "zod";
import type { PlanId } from "../values/ids.ts";
import { isObject } from "../values/json.ts";
import { sha256 } from "../values/sha256.ts";
import { PlanEvent } from "./plan-event.ts";
import { isPlainSuccess, type StepSucceeded } from "./step-events.ts";

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

/**
 * Names a message with these events. The name of a batch is made of theirs, so that the server does not take a batch that is cut
 * differently for a repeat.
 *
 * @param ids - Of the events, in order; at least one.
 */
export function batchId(planId: PlanId, ids: readonly string[]): string {
  const [first = ""] = ids;
  return ids.length === 1 ? first : `${planId}/batch/${sha256(JSON.stringify(ids))}`;
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

/**
 * Reads a fact that came out of the log. The most frequent one by far, a step's plain success, is recognised by
 * its form; everything else is parsed.
 *
 * @param value - Decoded JSON.
 * @returns What is wrong with it when it is no fact that this version knows.
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

/** Cuts events that are to be stored into batches within the limits. An event above the limit is alone. */
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
