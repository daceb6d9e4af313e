// The information about lists in an output that is stored as a file.
import { expect, it } from "vitest";
import { listName, listsIn } from "./lists-in.ts";

it("returns the lists of an output with their lengths", () => {
  expect(listsIn([1, 2])).toEqual({ "": 2 });
  expect(listsIn({ rows: [1], data: { hits: [[1], [2]], deep: { er: { still: [] } } } })).toEqual({
    rows: 1,
    "data.hits": 2,
  });
  expect(listsIn({ text: "a", none: null })).toBeUndefined();
  expect(listsIn(null)).toBeUndefined();
});

it("returns a limited number, and no names that references cannot express", () => {
  expect(
    Object.keys(listsIn(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, []]))) ?? {}),
  ).toHaveLength(20);
  expect(listsIn({ "a b": [1], "a.b": [1] })).toBeUndefined();
  expect(listName(["rows", 0])).toBeUndefined();
});
