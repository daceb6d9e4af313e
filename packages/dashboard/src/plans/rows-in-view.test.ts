import { expect, it } from "vitest";
import { ROW_HEIGHT, rowAfterKey, rowsInView } from "./rows-in-view.ts";

it.each([
  [{ listTop: 100, top: 100, bottom: 100 + 5 * ROW_HEIGHT }, 5_000, { first: 0, end: 13 }],
  [{ listTop: -100 * ROW_HEIGHT, top: 0, bottom: 5 * ROW_HEIGHT }, 5_000, { first: 92, end: 113 }],
  [{ listTop: -5_000 * ROW_HEIGHT, top: 0, bottom: 900 }, 5_000, { first: 4_992, end: 5_000 }],
  [{ listTop: 2_000, top: 0, bottom: 800 }, 3, { first: 0, end: 0 }],
  [{ listTop: 0, top: 0, bottom: 800 }, 3, { first: 0, end: 3 }],
])("draws, at scroll position %j of a list with %i rows, %j", (sight, rows, wanted) => {
  expect(rowsInView(sight, rows)).toEqual(wanted);
});

it.each([
  ["ArrowDown", 3, 4],
  ["ArrowDown", 9, 9],
  ["ArrowUp", 0, 0],
  ["PageDown", 3, 7],
  ["PageUp", 3, 0],
  ["Home", 7, 0],
  ["End", 0, 9],
  ["Enter", 1, undefined],
  ["toString", 1, undefined],
])("%s leads from row %i to %s", (key, row, wanted) => {
  expect(rowAfterKey(key, row, { rows: 10, page: 4 })).toBe(wanted);
});
