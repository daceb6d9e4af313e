/** Hours, days and weeks of a span of time, all in UTC; weeks begin on Monday. */
import type { Period } from "@planwright/api";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTH_MS: Readonly<Record<Period, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
/** The epoch was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The periods that are shown when nobody says how many. */
const SHOWN: Readonly<Record<Period, number>> = { hour: 24, day: 30, week: 26 };

/** The number of the period that a moment lies in, counted on without end in both directions. */
export function periodOf(period: Period, atMs: number): number {
  return Math.floor((atMs - offsetOf(period)) / LENGTH_MS[period]);
}

/** {@link periodOf}, as SQL over a column of times since the epoch. */
export function sqlOfPeriod(period: Period, column: string): string {
  return `(${column} - ${offsetOf(period)}) / ${LENGTH_MS[period]}`;
}

/** Milliseconds since the epoch. */
export function startOf(period: Period, index: number): number {
  return index * LENGTH_MS[period] + offsetOf(period);
}

/** From where to show periods that end at a moment. */
export function shownFrom(period: Period, toMs: number): number {
  return startOf(period, periodOf(period, toMs - 1) - SHOWN[period] + 1);
}

function offsetOf(period: Period): number {
  return period === "week" ? FIRST_MONDAY_MS : 0;
}
