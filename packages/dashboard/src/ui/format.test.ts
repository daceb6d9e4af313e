import { expect, it } from "vitest";
import { formatLeft, formatTick } from "./format.ts";

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
