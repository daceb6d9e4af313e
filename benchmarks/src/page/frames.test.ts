import { expect, it } from "vitest";
import { fluencyOf } from "./frames.ts";
import { delaysOf } from "../workloads/page.ts";

it("reports the frame rate, the longest gap between two frames, and the number of long tasks", () => {
  const seen = { framesMs: [100, 110, 120, 160, 200], longTasksMs: [50, 51, 300] };
  expect(fluencyOf(seen)).toEqual({ framesPerS: 40, longestGapMs: 40, longTasks: 2 });
  expect(() => fluencyOf({ framesMs: [1], longTasksMs: [] })).toThrow("wanted two frames");
});

it("measures from each success to the moment at which the page has counted it", () => {
  const seen = { timeOriginMs: 1_000, firstMs: {}, framesMs: [], longTasksMs: [] };
  const settled: [number, number][] = [
    [10, 1],
    [40, 3],
  ];
  // The first was written before the page showed a number.
  expect(delaysOf([1_005, 1_020, 1_030], { ...seen, settled })).toEqual([20, 10]);
  expect(() => delaysOf([1_020, 1_030, 1_031, 1_032], { ...seen, settled })).toThrow("never showed 4");
});
