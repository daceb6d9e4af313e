import { expect, it } from "vitest";
import { pointsOf } from "./points-of.ts";

const PLOT = { width: 100, height: 50, top: 10 };

it("spreads the values over the width, the largest at the top", () => {
  expect(pointsOf([0, 5, 10], PLOT)).toEqual([
    [
      { index: 0, x: 0, y: 50 },
      { index: 1, x: 50, y: 25 },
      { index: 2, x: 100, y: 0 },
    ],
  ]);
});

it("breaks at missing values, and keeps isolated values", () => {
  const runs = pointsOf([null, 1, null, null, 2, 3], PLOT);
  expect(runs.map((run) => run.map(({ index }) => index))).toEqual([[1], [4, 5]]);
  expect(pointsOf([null], PLOT)).toEqual([]);
  expect(pointsOf([4], PLOT)).toEqual([[{ index: 0, x: 0, y: 30 }]]);
});
