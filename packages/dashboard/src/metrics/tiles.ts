/** The tiles of the metrics page: one metric each, with its change. */
import type { Figures } from "../api/api-types.ts";
import { countText, dollarsText, type Figure, percentText, timeText } from "./number-words.ts";
import { TILE_NAMES, TILES } from "./metrics-words.ts";

type TileKind = {
  readonly name: string;
  readonly of: (figures: Figures) => Figure;
  readonly text: (value: Figure) => string;
  /** Whether more is better, or less; absent when neither is. */
  readonly better?: "more" | "less";
  /** Shares change by percentage points. */
  readonly isShare?: boolean;
};

export type Change = {
  readonly direction: "up" | "down" | "same";
  readonly text: string;
  readonly tone: "ok" | "bad" | "idle";
};

export const TILE_KINDS: readonly TileKind[] = [
  { name: TILE_NAMES.plans, of: ({ plans }) => plans, text: count },
  {
    name: TILE_NAMES.successRate,
    of: ({ successRate }) => successRate,
    text: percentText,
    better: "more",
    isShare: true,
  },
  {
    name: TILE_NAMES.p50,
    of: ({ timeToCompletionMs }) => timeToCompletionMs.p50,
    text: timeText,
    better: "less",
  },
  {
    name: TILE_NAMES.p90,
    of: ({ timeToCompletionMs }) => timeToCompletionMs.p90,
    text: timeText,
    better: "less",
  },
  {
    name: TILE_NAMES.p99,
    of: ({ timeToCompletionMs }) => timeToCompletionMs.p99,
    text: timeText,
    better: "less",
  },
  {
    name: TILE_NAMES.failedSteps,
    of: ({ steps }) => steps.failureRate,
    text: percentText,
    better: "less",
    isShare: true,
  },
  { name: TILE_NAMES.cost, of: ({ cost }) => (cost.perPlan === null ? null : cost.usd), text: dollarsText },
  { name: TILE_NAMES.tokens, of: ({ tokens }) => tokens.input + tokens.output, text: count },
];

/**
 * How a metric has changed.
 *
 * @param before - The value of the period before. Returns undefined when there is none, or nothing to compare with.
 */
export function changeOf(
  { of: figure, better, isShare = false }: TileKind,
  now: Figures,
  before: Figures,
): Change | undefined {
  const [value, earlier] = [figure(now), figure(before)];
  if (value === null || earlier === null || before.plans === 0) return undefined;
  if (!isShare && earlier === 0 && value !== 0) return undefined;
  const difference = isShare ? value - earlier : earlier === 0 ? 0 : value / earlier - 1;
  const tenths = Math.round(Math.abs(difference) * 1_000) / 10;
  if (tenths === 0) return { direction: "same", text: "", tone: "idle" };
  const isMore = difference > 0;
  const unit = isShare ? " pp" : "%";
  const amount = tenths.toLocaleString("en", { maximumFractionDigits: tenths < 10 ? 1 : 0 });
  return {
    direction: isMore ? "up" : "down",
    text: `${isMore ? "+" : "−"}${amount}${unit}`,
    tone: better === undefined ? "idle" : isMore === (better === "more") ? "ok" : "bad",
  };
}

/** A change as text. */
export function changeText(change: Change | undefined, before: string): string {
  if (change === undefined) return TILES.nothingBefore;
  return change.direction === "same" ? TILES.unchanged(before) : TILES.compared(change.text, before);
}

function count(value: Figure): string {
  return countText(value ?? 0);
}
