import { expect, it } from "vitest";
import { placeIn, searchTo } from "./step-place.ts";

const turns = (count: number) => Array.from({ length: count }, (_, index) => ({ turn: index + 1 })) as never;
const ONCE = { turns: turns(3) };
const SEVERAL = {
  turns: [
    { turn: 1, call: 1 },
    { turn: 1, call: 2 },
  ] as never,
};
const LIST = { forEach: [1, 2], items: [{ item: 0 }, { item: 1, turns: turns(1) }] as never };

it.each([
  [ONCE, {}, {}],
  [ONCE, { turn: "2" }, { turn: 2 }],
  [SEVERAL, { turn: "1" }, { turn: 1 }],
  [LIST, { item: "0" }, { item: 0 }],
  [LIST, { item: "1", turn: "1" }, { item: 1, turn: 1 }],
])("finds an existing position: %j %j", (step, named, place) => {
  expect(placeIn(step, named)).toEqual(place);
});

it.each([
  [ONCE, { turn: "9" }, "This step has no turn 9: it has turns 1 to 3."],
  [ONCE, { turn: "02" }, "This step has no turn 02: it has turns 1 to 3."],
  [ONCE, { item: "3" }, "This step runs once; it has no item 3."],
  [{}, { turn: "1" }, "This step has no turn 1: it has no turns."],
  [SEVERAL, { turn: "2" }, "This step has no turn 2: it has only 1."],
  [LIST, { item: "2" }, "This step has no item 2: it has items 0 to 1."],
  [LIST, { item: "-1" }, "This step has no item “-1”: it has items 0 to 1."],
  [LIST, { item: "" }, "This step has no item “”: it has items 0 to 1."],
  [{ forEach: [1] }, { item: "0" }, "This step has no item 0: it has no items."],
  [LIST, { turn: "1" }, "Turns belong to items: select an item to see turn 1."],
  [LIST, { item: "<b>".repeat(99) }, `This step has no item “${"<b>".repeat(10)}…”: it has items 0 to 1.`],
])("explains why a position does not exist: %j %j", (step, named, problem) => {
  expect(placeIn(step, named)).toEqual({ problem });
});

it("shows the item even if it does not have the turn", () => {
  const problem = "Item 1 has no turn x".replace("x", "“x”: it has only 1.");
  expect(placeIn(LIST, { item: "1", turn: "x" })).toEqual({ item: 1, problem });
});

it("keeps the tab and the event in links to a step, and drops the reader's search and filter", () => {
  const here = "?tab=timeline&history=7&find=x&step=other&item=1&turn=3&list.q=mine";
  expect(searchTo(here, { step: "a", item: 0 })).toBe("?tab=timeline&history=7&step=a&item=0");
  expect(searchTo("?seq=7", { step: "a" })).toBe("?seq=7&step=a");
  expect(searchTo("", { step: "a", item: 2, turn: 1 })).toBe("?step=a&item=2&turn=1");
});
