import { expect, it } from "vitest";
import { DataRules } from "./check-changes.ts";
import { strayRules } from "./stray-rules.ts";

const table = (name: string, ...columns: string[]) => ({
  name,
  columns: columns.map((column) => ({ name: column })),
});
const TABLES = [table("inventory", "id", "stock"), table("till", "id", "amount", "balance")];
const stray = (rules: object) => strayRules(DataRules.parse(rules), TABLES);

it("reports nothing for rules that fit", () => {
  expect(
    stray({
      inventory: { insert: false, update: ["stock"], min: { stock: 0 }, max: { stock: 9 } },
      till: {
        onePerItem: { table: "inventory", column: "stock" },
        running: { balance: "balance", amount: "amount" },
      },
    }),
  ).toEqual([]);
  expect(stray({})).toEqual([]);
});

it.each([
  [{ inventori: { insert: false } }, ["inventori: there is no table inventori"]],
  [
    { inventory: { update: ["stok"], min: { stok: 0 }, max: { id: 1, price: 2 } } },
    ["inventory: inventory has no column stok", "inventory: inventory has no column price"],
  ],
  [{ till: { running: { balance: "saldo", amount: "amount" } } }, ["till: till has no column saldo"]],
  [
    { till: { onePerItem: { table: "stock", column: "stock" } } },
    ["till.onePerItem: there is no table stock"],
  ],
  [
    { till: { onePerItem: { table: "inventory", column: "number" } } },
    ["till.onePerItem: inventory has no column number"],
  ],
])("reports missing tables and columns, case %#", (rules, messages) =>
  expect(stray(rules)).toEqual(messages),
);
