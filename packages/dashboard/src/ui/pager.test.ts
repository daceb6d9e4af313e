// A long list is drawn in parts: every row is in one of them, and only the last part changes while the list grows.
import fc from "fast-check";
import { expect, it } from "vitest";
import { partsOf, partWith } from "./pager.tsx";

it("has one part up to twice its size, and one empty part without rows", () => {
  expect(partsOf(0, 10)).toEqual([{ first: 0, end: 0 }]);
  expect(partsOf(19, 10)).toEqual([{ first: 0, end: 19 }]);
  expect(partsOf(25, 10)).toEqual([
    { first: 0, end: 10 },
    { first: 10, end: 25 },
  ]);
});

it("puts every row into exactly one part, and makes no part small or large", () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.integer({ min: 1, max: 300 }), (rows, size) => {
      const parts = partsOf(rows, size);
      expect(
        parts.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, at) => first + at)),
      ).toEqual(Array.from({ length: rows }, (_, at) => at));
      for (const { first, end } of rows < size ? [] : parts) {
        expect(end - first).toBeGreaterThanOrEqual(size);
        expect(end - first).toBeLessThan(2 * size);
      }
      const begun = rows === 0 ? [] : parts;
      expect(begun.map(({ first }) => partWith(first, parts))).toEqual(begun.map((_, index) => index));
    }),
  );
});

it("uses the first part for a row that does not exist", () => {
  expect(partWith(-1, partsOf(30, 10))).toBe(0);
  expect(partWith(99, partsOf(30, 10))).toBe(0);
});
