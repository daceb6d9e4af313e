/** Formats metrics as text; a dash stands for a missing value. */
import { formatUsd } from "@planwright/plan/amounts";
import { formatDuration } from "../ui/format.ts";

export type Figure = number | null;

const NONE = "–";

export function countText(value: number): string {
  return value.toLocaleString("en");
}

export function percentText(value: Figure): string {
  return value === null ? NONE : `${(value * 100).toLocaleString("en", { maximumFractionDigits: 1 })}%`;
}

export function ratioText(value: Figure): string {
  return value === null ? NONE : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** A mean of large counts, rounded to a whole number. */
export function meanCountText(value: Figure): string {
  return value === null ? NONE : countText(Math.round(value));
}

export function timeText(value: Figure): string {
  return value === null ? NONE : formatDuration(value);
}

export function dollarsText(value: Figure): string {
  return value === null ? NONE : formatUsd(value);
}
