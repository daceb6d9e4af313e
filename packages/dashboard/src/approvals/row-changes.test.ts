import { expect, it } from "vitest";
import { changesAsTable, rowChangesOf } from "./row-changes.tsx";

const sale = [
  {
    table: "inventory",
    op: "update",
    key: { item_id: "SG005" },
    before: { quantity: 10 },
    after: { quantity: 7 },
  },
  { table: "inventory", op: "insert", key: { item_id: "SG009" }, before: null, after: { quantity: 1 } },
  {
    table: "inventory",
    op: "delete",
    key: { item_id: "SG001" },
    before: { quantity: 2 },
    after: null,
  },
];

it("shows each change as a row with the values before and after", () => {
  expect(changesAsTable(rowChangesOf(sale))).toEqual({
    columns: ["change", "item_id", "quantity"],
    rows: [
      ["update", "SG005", "10 → 7"],
      ["insert", "SG009", 1],
      ["delete", "SG001", 2],
    ],
    truncated: false,
  });
});

it.each([
  ["something else", [{ table: "t" }]],
  ["a change among other things", [...sale, 1]],
  ["no list", { changes: sale }],
])("finds no changes in %s", (_what, value) => {
  expect(rowChangesOf(value)).toEqual([]);
});
