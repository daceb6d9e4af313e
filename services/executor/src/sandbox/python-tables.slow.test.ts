// Tables in Python, as documented by TinyDB, over the rows of a database; and a store's plans as their authors wrote them.
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Json } from "@planwright/plan";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChangeset } from "../changeset/read-changeset.ts";
import type { GuestDatabase } from "./program.ts";
import { findImage } from "./python/image-file.ts";
import { createSandbox } from "./sandbox.ts";

const sandbox = createSandbox({ deadlineMs: 120_000 });
beforeAll(async () => void (await findImage()), 300_000);
afterAll(() => sandbox[Symbol.dispose]());

const SEED = readFileSync(new URL("../../../../examples/sunglasses-store/seed.sql", import.meta.url), "utf8");
const TABLES: GuestDatabase["tables"] = [
  {
    name: "inventory",
    columns: ["item_id", "name", "description", "quantity_in_stock", "price"],
    key: ["item_id"],
  },
  {
    name: "transactions",
    columns: [
      "transaction_id",
      "customer_name",
      "transaction_summary",
      "transaction_amount",
      "balance_after_transaction",
      "timestamp",
    ],
    key: ["transaction_id"],
  },
];

function storeBytes(): Uint8Array {
  using database = new DatabaseSync(":memory:");
  database.exec(SEED);
  return database.serialize();
}
const database: GuestDatabase = { bytes: storeBytes(), tables: TABLES };

async function run(code: string, input: Json = null) {
  const program = { language: "python", code, input, tools: [], nowMs: 1_767_225_600_000, database } as const;
  const { end, changeset, logs } = await sandbox.run(program, {
    signal: new AbortController().signal,
    callTool: () => Promise.reject(new Error("no tools")),
  });
  const columnsOf = (name: string) => TABLES.find((table) => table.name === name)?.columns;
  const value = end.ok ? end.value : `${end.failure.message} (line ${end.failure.line})`;
  return { value, changes: changeset === undefined ? undefined : readChangeset(changeset, columnsOf), logs };
}

/** Each program checks behaviour that TinyDB documents, and names the first difference. */
const CHECKS: Record<string, string> = {
  comparisons: `
q = Query()
same(ids(q.price == 60), [SG005])
same(ids(q.price != 60), others(SG005))
same(ids(q.price < 60) + ids(q.price >= 60), ids(q.price < 60) + ids(q.price >= 60))
same(len(ids(q.price <= 60)) + len(ids(q.price > 60)), len(inventory_tbl))
same(ids(where("name") == "Aviator"), [SG001])
same(ids(q["name"] == "Aviator"), [SG001])
same(ids(q.nowhere == None), [])`,
  combinations: `
q = Query()
same(ids((q.price == 60) & (q.name == "Classic")), [SG005])
same(ids((q.price == 60) & (q.name == "Moon")), [])
same(sorted(ids((q.price == 60) | (q.name == "Aviator"))), [SG001, SG005])
same(ids(~(q.price == 60)), others(SG005))
same(hash((q.price == 1) & (q.name == "x")), hash((q.name == "x") & (q.price == 1)))
same((q.price == 1) == (Query().price == 1), True)
raised(RuntimeError, lambda: Query() == 1)
raised(RuntimeError, lambda: inventory_tbl.search(Query()))`,
  "paths into documents": `
q = Query()
doc = {"a": {"b": [1, 2, 3], "c": "Text"}, "list": [{"n": 1}, {"n": 5}], "none": None}
same((q.a.b == [1, 2, 3])(doc), True)
same((q.a["c"] == "Text")(doc), True)
same((q.a.c.d == 1)(doc), False)
same(q.a.exists()(doc), True)
same(q.z.exists()(doc), False)
same(q.none.exists()(doc), True)
same(q.a.b.any([3, 9])(doc), True)
same(q.a.b.any([9])(doc), False)
same(q.a.b.all([1, 3])(doc), True)
same(q.a.b.all([1, 9])(doc), False)
same(q.list.any(Query().n > 4)(doc), True)
same(q.list.all(Query().n > 4)(doc), False)
same(q.none.any([1])(doc), False)
same(q.a.c.one_of(["Text", "Other"])(doc), True)
same(q.a.c.one_of([])(doc), False)
same(q.a.fragment({"c": "Text"})(doc), True)
same(q.a.fragment({"c": "x"})(doc), False)
same(q.fragment({"none": None})(doc), True)
same((q.a.b.map(len) == 3)(doc), True)
same(q.noop()(doc), True)`,
  "texts and functions": `
import re
q = Query()
same(ids(q.name.matches("Avi")), [SG001])
same(ids(q.name.matches("viator")), [])
same(ids(q.name.matches("avi", flags=re.IGNORECASE)), [SG001])
same(ids(q.name.search("viator$")), [SG001])
same(q.price.search("6")({"price": 60}), False)
same(ids(q.name.test(lambda v: v.startswith("Av"))), [SG001])
def between(value, low, high): return low <= value <= high
same(ids(q.price.test(between, 60, 60)), [SG005])
same(ids(lambda doc: doc["price"] == 60), [SG005])`,
  documents: `
q = Query()
doc = inventory_tbl.get(q.name == "Classic")
same(isinstance(doc, dict), True)
same(inventory_tbl.get(doc_id=doc.doc_id), doc)
same(inventory_tbl.get(doc_id=999), None)
same(inventory_tbl.get(q.name == "Nothing"), None)
same(inventory_tbl.get(doc_ids=[doc.doc_id, 999]), [doc])
same(inventory_tbl.contains(q.name == "Classic"), True)
same(inventory_tbl.contains(doc_id=999), False)
same(inventory_tbl.count(q.price == 60), 1)
same(len(inventory_tbl), len(inventory_tbl.all()))
same([d["item_id"] for d in inventory_tbl], [d["item_id"] for d in inventory_tbl.all()])
doc["price"] = 1
same(inventory_tbl.get(q.name == "Classic")["price"], 60)
same(sorted(db.tables()), ["inventory", "transactions"])
same(db.table("inventory") is inventory_tbl, True)
raised(KeyError, lambda: db.table("secret"))
raised(RuntimeError, lambda: inventory_tbl.get())
raised(RuntimeError, lambda: inventory_tbl.contains())
raised(RuntimeError, lambda: inventory_tbl.remove())
raised(ValueError, lambda: inventory_tbl.insert([1]))
raised(ValueError, lambda: inventory_tbl.insert({"item_id": "X", "colour": "red"}))
raised(ValueError, lambda: inventory_tbl.update({"quantity_in_stock": -1}, q.name == "Classic"))`,
};

/** Helpers for these checks; on one line, so that the program's line numbers are unchanged. */
const HELP = [
  "SG001, SG005 = 'SG001', 'SG005'",
  "ids = lambda cond: [d['item_id'] for d in inventory_tbl.search(cond)]",
  "others = lambda *gone: [d['item_id'] for d in inventory_tbl if d['item_id'] not in gone]",
  "problems = []",
  "same = lambda a, b: None if a == b else problems.append(f'{a!r} is not {b!r}')",
  "exec('def raised(kind, act):\\n try:\\n  act()\\n except kind:\\n  return\\n problems.append(kind.__name__ + \" was not raised\")')",
].join("; ");

describe("a table in Python", () => {
  it.each(Object.entries(CHECKS))("has TinyDB's %s", async (_what, code) => {
    expect(await run(`${HELP}${code}\nresult = problems`)).toMatchObject({ value: [], changes: [] });
  });

  it("changes rows as TinyDB does, and records these changes in the database", async () => {
    const { value, changes } = await run(`
from tinydb.operations import increment, decrement, add, subtract, set, delete
Item = Query()
first = inventory_tbl.update({"price": 61.5}, Item.name == "Classic")
inventory_tbl.update(increment("quantity_in_stock"), Item.name == "Classic")
inventory_tbl.update(add("quantity_in_stock", 5), doc_ids=first)
inventory_tbl.update(subtract("quantity_in_stock", 2), Item.name == "Classic")
inventory_tbl.update(decrement("quantity_in_stock"), Item.name == "Classic")
inventory_tbl.update(set("description", "new"), Item.name == "Classic")
def halve(doc): doc["price"] = doc["price"] / 2
many = inventory_tbl.update_multiple([(halve, where("name") == "Aviator")])
new = inventory_tbl.insert({"item_id": "SG100", "name": "New", "description": "d", "quantity_in_stock": 1, "price": 5})
inventory_tbl.upsert({"price": 6}, Item.item_id == "SG100")
up = inventory_tbl.upsert({"item_id": "SG101", "name": "Up", "description": "d", "quantity_in_stock": 0, "price": 1}, Item.item_id == "SG101")
two = inventory_tbl.insert_multiple([{"item_id": f"SG20{n}", "name": "N", "description": "d", "quantity_in_stock": n, "price": n} for n in range(2)])
gone = inventory_tbl.remove(Item.item_id == "SG200")
classic = inventory_tbl.get(doc_id=first[0])
count = len(inventory_tbl)
result = [len(first), classic["quantity_in_stock"], classic["price"], len(many), two[1] - new, gone == [two[0]], up == [new + 1], inventory_tbl.get(doc_id=new)["price"], count]`);
    expect(value).toEqual([1, 13, 61.5, 1, 3, true, true, 6, 9]);
    expect(changes?.map(({ op, key }) => `${op} ${JSON.stringify(key["item_id"])}`).sort()).toEqual([
      'insert "SG100"',
      'insert "SG101"',
      'insert "SG201"',
      'update "SG001"',
      'update "SG005"',
    ]);
    expect(changes?.find(({ key }) => key["item_id"] === "SG005")?.after).toEqual({
      quantity_in_stock: 13,
      price: 61.5,
      description: "new",
    });
  });

  it("empties a table with truncate, and has the store's helpers", async () => {
    const { value, changes } = await run(`
before = [get_current_balance(transactions_tbl), next_transaction_id(transactions_tbl), next_transaction_id(transactions_tbl, prefix="RET")]
transactions_tbl.truncate()
result = before + [len(transactions_tbl), get_current_balance(transactions_tbl), next_transaction_id(transactions_tbl)]`);
    expect(value).toEqual([500, "TXN002", "RET001", 0, 0, "TXN001"]);
    expect(changes).toMatchObject([{ table: "transactions", op: "delete" }]);
  });
});

const PLAN = readFileSync(new URL("./testing/store-plan.py", import.meta.url), "utf8");
const stock = (item: string, before: number, after: number) => ({
  table: "inventory",
  op: "update",
  key: { item_id: item },
  before: { quantity_in_stock: before },
  after: { quantity_in_stock: after },
});
const booked = (id: string, amount: number, balance: number) => ({
  table: "transactions",
  op: "insert",
  key: { transaction_id: id },
  after: { transaction_amount: amount, balance_after_transaction: balance },
});

describe("a store's plan, as its authors would write it", () => {
  it.each([
    {
      request: "Do you have any round sunglasses in stock that are under $100?",
      answer: {
        STATUS: "success",
        answer_text: "Yes, we have our Classic sunglasses, a round frame, for $60.",
      },
      changes: [],
    },
    {
      request: "Return 2 Aviator sunglasses I bought last week.",
      answer: { STATUS: "success", answer_text: "Done: 2 Aviator, $160.00 paid back." },
      changes: [stock("SG001", 23, 25), booked("TXN002", -160, 340)],
    },
    {
      request: "I want to buy 3 pairs of classic sunglasses and 1 pair of aviator sunglasses.",
      answer: { STATUS: "success", answer_text: "Done: 3 Classic and 1 Aviator, $260.00 in total." },
      changes: [
        stock("SG001", 23, 22),
        stock("SG005", 10, 7),
        booked("TXN002", 180, 680),
        booked("TXN003", 80, 760),
      ],
    },
    {
      request: "I want to buy 1 pair of aviator sunglasses and 11 pairs of classic sunglasses.",
      answer: { STATUS: "insufficient_stock", answer_text: expect.stringContaining("only have 10 pairs") },
      changes: [],
    },
    { request: "I want to buy classic sunglasses.", answer: { STATUS: "invalid_request" }, changes: [] },
    { request: "What will the weather be tomorrow?", answer: { STATUS: "unsupported_intent" }, changes: [] },
    {
      request: "Any round sunglasses under $20?",
      answer: { STATUS: "no_match", answer_text: expect.stringContaining("our Classic is available at $60") },
      changes: [],
    },
  ])("$request", async ({ request, answer, changes }) => {
    const done = await run(PLAN, request);
    expect(done.value).toMatchObject(answer);
    const inOrder = done.changes?.toSorted((a, b) =>
      JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1,
    );
    expect(inOrder).toHaveLength(changes.length);
    expect(inOrder).toMatchObject(changes);
    expect(done.logs).toEqual([expect.stringMatching(/^LOG: ACTION=\w+ DRY_RUN=\w+ STATUS=\w+$/)]);
  });

  it.each([
    "import os\nos.remove('store.db')",
    "import socket",
    "open('/etc/passwd').read()",
    "__import__('subprocess')",
  ])("changes nothing if it uses more than tables: %s", async (code) => {
    const { value, changes } = await run(
      `inventory_tbl.truncate()\n${code}\nanswer_text, STATUS = 'x', 'success'`,
    );
    expect(value).toMatch(/^(ModuleNotFoundError|OSError): .*\(line 2\)$/);
    expect(changes).toBeUndefined();
  });
});
