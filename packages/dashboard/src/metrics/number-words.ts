/** A figure in words; a dash where there is nothing that it could be of. */
import { formatUsd } from "@planwright/plan/amounts";
import { formatDuration } from "../ui/format.ts";

export type Figure = number | null;

const NONE = "–";

export function countText(value: number): string {
  return value.toLocaleString("en");
}

export function percentText(value: Figure): string {
  return value === null ? NONE : `${(value * 100).toLocaleString("en", { maximumFractionDigits: 1 })} %`;
}

export function ratioText(value: Figure): string {
  return value === null ? NONE : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** Of something that there are whole ones of, and many. */
export function meanCountText(value: Figure): string {
  return value === null ? NONE : countText(Math.round(value));
}

export function timeText(value: Figure): string {
  return value === null ? NONE : formatDuration(value);
}

export function dollarsText(value: Figure): string {
  return value === null ? NONE : formatUsd(value);
}
