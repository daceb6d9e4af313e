import { expect, it } from "vitest";
import { allToggled, extended, NOTHING_SELECTED, type Selection, toggled } from "./selection.ts";

const rows = ["a", "b", "c", "d", "e"].map((planId) => ({ planId }));
const ids = ({ ids: selected }: Selection) => [...selected].sort().join("");

it("selects and deselects single rows", () => {
  const two = toggled(toggled(NOTHING_SELECTED, "b"), "d");
  expect(ids(two)).toBe("bd");
  expect(ids(toggled(two, "b"))).toBe("d");
});

it("selects the rows between the last one and this one, in both directions", () => {
  const from = toggled(NOTHING_SELECTED, "c");
  const down = extended(from, "e", rows);
  expect(ids(down)).toBe("cde");
  expect(ids(extended(down, "a", rows))).toBe("abcde");
  expect(ids(extended(toggled(toggled(NOTHING_SELECTED, "e"), "a"), "b", rows))).toBe("abe");
});

it("selects only the row itself when the last one has left the list, and nothing for a row that has left", () => {
  const gone = toggled(NOTHING_SELECTED, "gone");
  expect(ids(extended(gone, "b", rows))).toBe("bgone");
  expect(extended(gone, "nowhere", rows)).toBe(gone);
});

it("selects all rows, and none when all are selected", () => {
  const all = allToggled(toggled(NOTHING_SELECTED, "b"), rows);
  expect(ids(all)).toBe("abcde");
  expect(allToggled(all, rows)).toBe(NOTHING_SELECTED);
  expect(allToggled(NOTHING_SELECTED, [])).toEqual(NOTHING_SELECTED);
});
