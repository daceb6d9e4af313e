// The store: items with a stock, and transactions with a running balance, the last of which is 500.
import { describe, expect, it } from "vitest";
import { checkChanges, VIOLATIONS_MAX, violationsInWords, DataRules } from "./check-changes.ts";
import { RowChange } from "./row-change.ts";

const rules = DataRules.parse({
  inventory: {
    insert: false,
    delete: false,
    update: ["quantity_in_stock"],
    min: { quantity_in_stock: 0 },
    max: { quantity_in_stock: 99 },
  },
  transactions: {
    update: false,
    delete: false,
    onePerItem: { table: "inventory", column: "quantity_in_stock" },
    running: { balance: "balance", amount: "amount" },
  },
});
const balances = new Map([["transactions", 500]]);

const stock = (id: string, from: number | null, to: number | string | null) =>
  RowChange.parse({
    table: "inventory",
    op: "update",
    key: { item_id: id },
    before: { quantity_in_stock: from },
    after: { quantity_in_stock: to },
  });
const paid = (id: string, amount: number | string, balance: number) =>
  RowChange.parse({
    table: "transactions",
    op: "insert",
    key: { transaction_id: id },
    before: null,
    after: { transaction_id: id, amount, balance },
  });
const gone = (table: string, key: RowChange["key"], before: RowChange["key"]) =>
  RowChange.parse({ table, op: "delete", key, before, after: null });
const added = (table: string, key: RowChange["key"], after: RowChange["key"]) =>
  RowChange.parse({ table, op: "insert", key, before: null, after });

const check = (...changes: RowChange[]) => checkChanges(changes, { rules, balances });
const codes = (...changes: RowChange[]) => check(...changes).map(({ code }) => code);

describe("the rules of a source", () => {
  it("allow a purchase of two items that has a row for each", () => {
    expect(
      check(stock("SG005", 10, 7), stock("SG001", 23, 22), paid("T2", 180, 680), paid("T3", 80, 760)),
    ).toEqual([]);
  });

  it("allow an empty change", () => {
    expect(check()).toEqual([]);
    expect(checkChanges([stock("SG001", 1, -5)], {})).toEqual([]);
  });

  it.each([
    ["below_min", stock("SG005", 10, -1), "inventory SG005: quantity_in_stock is -1, wanted at least 0"],
    ["above_max", stock("SG005", 10, 100), "inventory SG005: quantity_in_stock is 100, wanted at most 99"],
    [
      "not_a_number",
      stock("SG005", 10, "many"),
      "inventory SG005: quantity_in_stock is many, wanted a number",
    ],
    [
      "below_min",
      stock("SG005", 10, "-9007199254740993"),
      "inventory SG005: quantity_in_stock is -9007199254740993, wanted at least 0",
    ],
  ])("report %s", (code, change, message) => {
    expect(check(change, paid("T2", 0, 500))).toEqual([{ code, table: "inventory", message }]);
  });

  it("accept no number out of bounds", () => {
    expect(check(stock("SG005", 10, null), paid("T2", 0, 500))).toEqual([]);
  });

  it("report changes that a table does not allow", () => {
    const renamed = RowChange.parse({
      table: "inventory",
      op: "update",
      key: { item_id: "SG001" },
      before: { price: 80 },
      after: { price: 1 },
    });
    expect(violationsInWords(check(renamed))).toBe(
      "inventory SG001: a change of price is not allowed, only of quantity_in_stock",
    );
    expect(
      codes(gone("transactions", { transaction_id: "T1" }, { transaction_id: "T1", amount: 0 })),
    ).toEqual(["not_allowed"]);
    expect(violationsInWords(check(added("inventory", { item_id: "X" }, { item_id: "X" })))).toBe(
      "inventory X: adding a row of inventory is not allowed",
    );
  });

  it("require one new row for each changed item", () => {
    const together = [stock("SG005", 10, 7), stock("SG001", 23, 22), paid("T2", 260, 760)];
    expect(violationsInWords(check(...together))).toBe(
      "wanted one new row of transactions for each row whose quantity_in_stock changes, got 1 for 2 (inventory SG005, inventory SG001)",
    );
    expect(codes(paid("T2", 80, 580))).toEqual(["one_per_item"]);
    expect(codes(stock("SG005", 10, 7))).toEqual(["one_per_item"]);
  });

  it("follow the balance through the new rows in order", () => {
    const items = [stock("SG005", 10, 7), stock("SG001", 23, 22)];
    expect(violationsInWords(check(...items, paid("T2", 180, 680), paid("T3", 80, 580)))).toBe(
      "transactions T3: balance is 580, wanted 760, which is 680 before it plus its amount of 80",
    );
    expect(codes(...items, paid("T3", 80, 760), paid("T2", 180, 680))).toEqual([
      "running_balance",
      "running_balance",
    ]);
    expect(check(stock("SG001", 23, 25), paid("T2", -160, 340))).toEqual([]);
    expect(codes(stock("SG001", 23, 25), paid("T2", "much", 340))).toEqual(["not_a_number"]);
  });

  it("let a balance start from nothing, and tolerate binary rounding errors", () => {
    const item = stock("SG005", 10, 9);
    expect(
      checkChanges([item, paid("T1", 0.3, 0.1 + 0.2)], {
        rules,
        balances: new Map([["transactions", null]]),
      }),
    ).toEqual([]);
    expect(checkChanges([item, paid("T1", 60, 60)], { rules })).toEqual([]);
  });

  it("forbid changes of a row's key, with or without rules", () => {
    const changes = [
      gone("inventory", { item_id: "SG001" }, { item_id: "SG001", name: "Aviator" }),
      added("inventory", { item_id: "SG009" }, { item_id: "SG009", name: "Aviator" }),
    ];
    expect(checkChanges(changes, {})).toEqual([
      {
        code: "key_changed",
        table: "inventory",
        message: "inventory SG001 would become inventory SG009: a primary key never changes",
      },
    ]);
    const tags = [
      gone("tags", { item: "a", tag: "b" }, { item: "a", tag: "b" }),
      added("tags", { item: "a", tag: "c" }, { item: "a", tag: "c" }),
    ];
    expect(checkChanges(tags, {})).toEqual([]);
  });

  it("report a limited number of many faults", () => {
    const many = Array.from({ length: 500 }, (_, index) => stock(`SG${index}`, 1, -1));
    expect(check(...many)).toHaveLength(VIOLATIONS_MAX);
  });
});

describe("a read-only request", () => {
  const readOnly = "the request only reads";

  it("cannot change anything", () => {
    expect(checkChanges([], { rules, readOnly })).toEqual([]);
    const changes = ["a", "b", "c", "d", "e"].map((id) => stock(id, 2, 1));
    expect(checkChanges(changes, { readOnly })).toEqual([
      {
        code: "read_only",
        table: "inventory",
        message:
          "nothing may change: the request only reads; the program changes inventory a, inventory b, inventory c and 2 more rows",
      },
    ]);
    expect(violationsInWords(checkChanges([stock("a", 2, 1)], { readOnly }))).toMatch(/changes inventory a$/);
  });
});

describe("declared rules", () => {
  it("refuse unknown keys", () => {
    expect(DataRules.safeParse({ inventory: { minimum: {} } }).success).toBe(false);
    expect(DataRules.parse({ inventory: {} })).toEqual({
      inventory: { insert: true, update: true, delete: true },
    });
  });
});
