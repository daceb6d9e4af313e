/** Times, sizes and shares as text. */

import {
  formatCount,
  formatDuration,
  formatElapsed,
  formatLeft,
  formatPercent,
} from "@planwright/plan/amounts";
import { FORMAT } from "./ui-words.ts";

export { formatCount, formatDuration, formatElapsed, formatLeft, formatPercent };

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A round time for an axis: `2 s`, not `2.00 s`. */
export function formatTick(ms: number): string {
  return formatDuration(ms)
    .replace(/(\.\d*?)0+ s$/, "$1 s")
    .replace(/\. s$/, " s");
}

/** @param nowMs - The current time, in milliseconds since the epoch. */
export function formatAgo(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1_000));
  if (seconds < 5) return FORMAT.justNow;
  if (seconds < 60) return FORMAT.secondsAgo(seconds);
  if (seconds < 3_600) return FORMAT.minutesAgo(Math.floor(seconds / 60));
  if (seconds < 86_400) return FORMAT.hoursAgo(Math.floor(seconds / 3_600));
  return FORMAT.daysAgo(Math.floor(seconds / 86_400));
}

/** Formatters are expensive to create. */
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hour12: false });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function formatTime(at: string): string {
  return TIME.format(new Date(at));
}

export function formatDateTime(at: string): string {
  return DATE_TIME.format(new Date(at));
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_024 ** 2) return `${(bytes / 1_024).toFixed(1)} KiB`;
  return `${(bytes / 1_024 ** 2).toFixed(1)} MiB`;
}
