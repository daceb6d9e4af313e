import { expect, it } from "vitest";
import { formatDuration, formatUsd } from "./amounts.ts";

it.each([
  [0.4, "< 1 ms"],
  [12.6, "13 ms"],
  [1_234, "1.23 s"],
  [999.6, "1.00 s"],
  [9_996, "10.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min"],
  [60_000, "1 min"],
  [61_000, "1 min 1 s"],
  [3_600_000, "1 h"],
  [5_400_000, "1 h 30 min"],
])("%d ms are %s", (durationMs, wanted) => {
  expect(formatDuration(durationMs)).toBe(wanted);
});

it.each([
  [0, "$0.00"],
  [0.00001, "< $0.0001"],
  [0.01234, "$0.0123"],
  [1.005, "$1.00"],
  [12.5, "$12.50"],
])("%d dollars are %s", (usd, wanted) => {
  expect(formatUsd(usd)).toBe(wanted);
});
