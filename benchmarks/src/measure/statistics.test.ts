import { describe, expect, it } from "vitest";
import { mean, median, quantile, rounded, summaryOf } from "./statistics.ts";

describe("a set of measurements", () => {
  it("has the middle value as its median, in any order", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(summaryOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
    expect(mean([1, 2, 6])).toBe(3);
  });

  it("has the nearest rank as its quantile", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0, 0.5, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([1, 50, 99, 100]);
    expect(quantile([7], 0.99)).toBe(7);
  });

  it.each([
    ["no samples", () => median([])],
    ["a mean of no samples", () => mean([])],
    ["a share above 1", () => quantile([1], 50)],
    ["a share that is no number", () => quantile([1], Number.NaN)],
  ])("refuses %s", (_, ask) => {
    expect(ask).toThrow(RangeError);
  });

  it("keeps six digits", () => {
    expect(rounded(1234.56789)).toBe(1234.57);
    expect(rounded(0)).toBe(0);
  });
});
