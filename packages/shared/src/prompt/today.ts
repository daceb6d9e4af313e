/** How every prompt states the date. */
import { textBlock } from "./block.ts";

/** The UTC date of a time, such as `2026-03-01`. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, "2026-03-01".length);
}

/** The block of the date of an event, by its time in the log: the same whenever the prompt is rendered again. */
export function todayAt(recorded: string): string {
  return todayBlock(dateOf(new Date(recorded)));
}

/**
 * The block that tells a model the date. It changes every day, so it stands after the parts that are the same for every
 * call: model servers can then reuse what they have read.
 *
 * @param date - Of a time that is in the log, where the prompt may be rendered again for the same work.
 */
export function todayBlock(date: string): string {
  return textBlock("today", date);
}
