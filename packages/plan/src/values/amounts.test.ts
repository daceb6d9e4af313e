import { expect, it } from "vitest";
import { formatDuration, formatElapsed, formatLeft, formatUsd } from "./amounts.ts";

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
])("shows %d ms as %s", (durationMs, wanted) => {
  expect(formatDuration(durationMs)).toBe(wanted);
});

it.each([
  [3, "less than 1 s left"],
  [12_345, "about 12 s left"],
  [59_600, "about 1 min left"],
  [100_000, "about 2 min left"],
  [3_599_000, "about 1 h left"],
  [4_700_000, "about 1 h 20 min left"],
])("shows %d ms until the end as %s", (leftMs, wanted) => {
  expect(formatLeft(leftMs)).toBe(wanted);
});

it.each([
  [-5, "0 s"],
  [999, "0 s"],
  [22_999, "22 s"],
  [59_999, "59 s"],
  [65_400, "1 min 5 s"],
])("shows %d ms so far as %s", (elapsedMs, wanted) => {
  expect(formatElapsed(elapsedMs)).toBe(wanted);
});

it.each([
  [0, "$0.00"],
  [0.00001, "< $0.0001"],
  [0.01234, "$0.0123"],
  [1.005, "$1.00"],
  [12.5, "$12.50"],
])("shows %d dollars as %s", (usd, wanted) => {
  expect(formatUsd(usd)).toBe(wanted);
});
