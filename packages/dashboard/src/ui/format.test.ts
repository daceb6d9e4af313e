import { expect, it } from "vitest";
import { formatDuration, formatLeft, formatTick } from "./format.ts";

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
  [3, "less than 1 s left"],
  [12_345, "about 12 s left"],
  [61_400, "about 1 min 1 s left"],
])("%d ms are %s", (leftMs, wanted) => {
  expect(formatLeft(leftMs)).toBe(wanted);
});

it.each([
  [200, "200 ms"],
  [2_000, "2 s"],
  [2_500, "2.5 s"],
  [20_000, "20 s"],
  [70_000, "1 min 10 s"],
])("%d ms are %s on an axis", (ms, wanted) => {
  expect(formatTick(ms)).toBe(wanted);
});
