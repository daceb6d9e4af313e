// The demo store in a real file: what programs do to a copy of it, and which changes reach the file.
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DataRules } from "@planwright/plan";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createSandbox } from "../sandbox/sandbox.ts";
import { createSourceWriter } from "../sql/source-writer.ts";
import { createSqlRunner } from "../sql/sql-runner.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { dataApply } from "../sql/data-apply.ts";
import { dataDryrun } from "./data-dryrun.ts";
import type { OpenSource, SourceCatalog } from "../tools/define-tool.ts";
import { testContext } from "../tools/testing/test-context.ts";

const STORE = new URL("../../../../examples/sunglasses-store/", import.meta.url);
const SEED = readFileSync(new URL("seed.sql", STORE), "utf8");
const { rules } = z
  .object({ sources: z.object({ store: z.object({ rules: DataRules }) }) })
  .parse(JSON.parse(readFileSync(new URL("sources.json", STORE), "utf8"))).sources.store;

const folder = tempFolder();
const sandbox = createSandbox();
const sql = createSqlRunner();
const writer = createSourceWriter();
const dryrun = dataDryrun({ sql, sandbox, now: () => Date.UTC(2026, 0, 1) });
const apply = dataApply({ writer });
afterAll(() => {
  for (const one of [sandbox, sql, writer, folder]) one[Symbol.dispose]();
});

let count = 0;
let store: OpenSource;
beforeEach(() => {
  count += 1;
  const path = folder.write(`store-${count}.db`, "");
  store = { name: "store", kind: "sqlite", writable: true, path, rules, live: true };
  using database = new DatabaseSync(path);
  // As a shop's own program would leave it: with a write-ahead log beside it.
  database.exec(`PRAGMA journal_mode = WAL; ${SEED}`);
});

const sources: SourceCatalog = {
  list: async () => [store],
  open: async (name) => (name === "store" ? store : undefined),
};
const context = (key = "p1/apply/0/0") => testContext({ sources, effectKey: () => key });

const Tried = z.looseObject({
  text: z.string(),
  status: z.string(),
  changed: z.boolean(),
  changes: z.array(z.looseObject({ table: z.string(), op: z.string() })),
  changeset: z.string(),
  logs: z.array(z.string()),
});
const tryOut = async (code: string, more: object = {}) =>
  Tried.parse(
    await dryrun.run({ source: "store", language: "javascript", code, request: "buy 2", ...more }, context()),
  );
const argsOf = ({ changes, changeset, text, status, data }: z.infer<typeof Tried>) => ({
  source: "store",
  changes,
  changeset,
  text,
  status,
  data,
});
const open = () => new DatabaseSync(store.path);
const ofFile = (query: string) => {
  using database = open();
  return database
    .prepare(query)
    .all()
    .map((row) => Object.values(row));
};

const BUY = (name: string, quantity: number) => `
  const item = tables.inventory.get({ name: "${name}" });
  const last = tables.transactions.all().at(-1);
  const line = item.price * ${quantity};
  tables.inventory.update({ quantity_in_stock: item.quantity_in_stock - ${quantity} }, { item_id: item.item_id });
  tables.transactions.insert({
    transaction_id: "TXN" + String(tables.transactions.count() + 1).padStart(3, "0"), customer_name: "Customer",
    transaction_summary: "${quantity}x " + item.name, transaction_amount: line,
    balance_after_transaction: last.balance_after_transaction + line, timestamp: new Date().toISOString() });`;
const DONE = `answer_text = "Done."; STATUS = "success"; console.log("LOG: ACTION=mutate");`;

describe("data.dryrun", () => {
  it("answers from the rows and changes nothing", async () => {
    const tried = await tryOut(`
      const found = tables.inventory.search((row) => / round /i.test(row.description) && row.price < 100);
      answer_rows = found.map(({ item_id, price }) => ({ item_id, price }));
      answer_text = \`Yes, \${found[0].name} for $\${found[0].price} (\${user_request}).\`; STATUS = "success"; ACTION = "read";`);
    expect(tried).toMatchObject({
      text: "Yes, Classic for $60 (buy 2).",
      status: "success",
      data: { rows: [{ item_id: "SG005", price: 60 }] },
      changed: false,
      changes: [],
      changeset: "",
    });
  });

  it("reports every row that would change, and leaves the file unchanged", async () => {
    const { changes, logs, text } = await tryOut(`const answer_text = "Done."; let STATUS = "success";
      ${BUY("Classic", 3)} console.log("LOG: ACTION=mutate");`);
    expect(changes).toEqual([
      {
        table: "inventory",
        op: "update",
        key: { item_id: "SG005" },
        before: { quantity_in_stock: 10 },
        after: { quantity_in_stock: 7 },
      },
      expect.objectContaining({
        table: "transactions",
        op: "insert",
        after: expect.objectContaining({
          transaction_amount: 180,
          balance_after_transaction: 680,
          timestamp: "2026-01-01T00:00:00.000Z",
        }),
      }),
    ]);
    expect([text, logs]).toEqual(["Done.", ["LOG: ACTION=mutate"]]);
    expect(ofFile("SELECT quantity_in_stock FROM inventory WHERE item_id = 'SG005'")).toEqual([[10]]);
  });

  it.each([
    ["no answer", `STATUS = "success"`, "missing_answer", "answer_text"],
    [
      "another status",
      `answer_text = "x"; STATUS = "fine"`,
      "invalid_answer",
      "STATUS must be one of success, no_match",
    ],
    [
      "rows that are none",
      `answer_text = "x"; STATUS = "success"; answer_rows = 3`,
      "invalid_answer",
      "answer_rows must be a list",
    ],
    [
      "an action that is none",
      `answer_text = "x"; STATUS = "success"; ACTION = "delete"`,
      "invalid_answer",
      "ACTION must be",
    ],
    [
      "what no program may name",
      `const fs = require("fs"); ${DONE}`,
      "forbidden_code",
      "line 1: require is not allowed",
    ],
    ["a fault, with its line", `\n\nnull.x; ${DONE}`, "code_error", "line 3:"],
    [
      "a stock below nothing",
      `tables.inventory.update({ quantity_in_stock: -1 }, { item_id: "SG001" })`,
      "code_error",
      "CHECK constraint",
    ],
    [
      "a sale without its row",
      `tables.inventory.update({ quantity_in_stock: 9 }, { item_id: "SG005" }); ${DONE}`,
      "rules_broken",
      "wanted one new row of transactions",
    ],
    [
      "a balance that does not go on",
      `${BUY("Classic", 1).replace("line, timestamp", "1, timestamp")} ${DONE}`,
      "rules_broken",
      "balance_after_transaction",
    ],
    [
      "a change of a request that has failed",
      `${BUY("Classic", 1)} answer_text = "no"; STATUS = "insufficient_stock"`,
      "read_request_changed",
      "ends as insufficient_stock changes nothing",
    ],
    [
      "a change by a program that says it reads",
      `${BUY("Classic", 1)} ${DONE} ACTION = "read"`,
      "read_request_changed",
      "ACTION",
    ],
  ])("refuses %s", async (_what, code, errorCode, message) => {
    const refused = tryOut(code).then(String, (error: unknown) => error);
    await expect(refused).resolves.toMatchObject({
      code: errorCode,
      message: expect.stringContaining(message),
    });
  });

  it("lets read requests and read-only sources change nothing", async () => {
    const code = `${BUY("Classic", 1)} ${DONE}`;
    await expect(tryOut(code, { readOnly: true })).rejects.toMatchObject({
      code: "read_request_changed",
      message: expect.stringContaining("the request only reads"),
    });
    store = { ...store, writable: false };
    await expect(tryOut(code)).rejects.toThrow("nothing may change: the source store is read-only");
  });
});

describe("data.apply", () => {
  it("makes exactly the announced changes, once per key (CHANGES-1)", async () => {
    const args = argsOf(
      await tryOut(
        `${BUY("Classic", 3)} ${BUY("Aviator", 1).replaceAll(/\b(item|last|line)\b(?!_)/g, "$1_2")} ${DONE}`,
      ),
    );
    await expect(apply.run(args, context())).resolves.toMatchObject({
      text: "Done.",
      status: "success",
      applied: 4,
    });
    const after = [
      ["TXN001", 500, 500],
      ["TXN002", 180, 680],
      ["TXN003", 80, 760],
    ];
    const rows =
      "SELECT transaction_id, transaction_amount, balance_after_transaction FROM transactions ORDER BY rowid";
    expect(ofFile(rows)).toEqual(after);
    expect(ofFile("SELECT quantity_in_stock FROM inventory WHERE item_id IN ('SG001', 'SG005')")).toEqual([
      [22],
      [7],
    ]);

    // The worker died before it could report success: the step runs again or is checked.
    await expect(apply.run(args, context())).resolves.toMatchObject({ applied: 4 });
    await expect(apply.check(args, context())).resolves.toMatchObject({
      kind: "done",
      output: { applied: 4 },
    });
    expect(ofFile(rows)).toEqual(after);
    // The same changes under another key find different rows.
    await expect(apply.run(args, context("p2/apply/0/0"))).rejects.toMatchObject({
      code: "data_conflict",
      message: expect.stringMatching(
        /^inventory SG00\d: quantity_in_stock is \d+ by now, it was \d+; nothing was changed$/,
      ),
    });
    await expect(apply.check(args, context("p2/apply/0/0"))).resolves.toEqual({ kind: "not-done" });
    expect((await tryOut(`answer_text = Object.keys(tables).join(); STATUS = "success"`)).text).toBe(
      "inventory,transactions",
    );
  });

  it.each([
    [
      "another stock",
      "UPDATE inventory SET quantity_in_stock = 5 WHERE item_id = 'SG005'",
      "inventory SG005: quantity_in_stock is 5 by now, it was 10",
    ],
    ["an item that is gone", "DELETE FROM inventory WHERE item_id = 'SG005'", "inventory SG005 is gone"],
    [
      "the same key",
      "INSERT INTO transactions VALUES ('TXN002', '', '', 1, 501, '')",
      "transactions TXN002 already exists",
    ],
    [
      "another balance",
      "INSERT INTO transactions VALUES ('TXN009', '', '', 1, 501, '')",
      "balance_after_transaction is 680, wanted 681",
    ],
  ])("leaves everything unchanged when it finds %s (CHANGES-3)", async (_what, statement, message) => {
    const args = argsOf(await tryOut(`${BUY("Classic", 3)} ${DONE}`));
    using other = open();
    other.exec(statement);
    const all = "SELECT * FROM inventory, transactions";
    const before = ofFile(all);
    await expect(apply.run(args, context())).rejects.toMatchObject({
      code: "data_conflict",
      message: expect.stringContaining(message),
    });
    expect(ofFile(all)).toEqual(before);
    await expect(apply.check(args, context())).resolves.toEqual({ kind: "not-done" });
  });

  it("makes no changes other than those that were shown (CHANGES-2)", async () => {
    const tried = await tryOut(`${BUY("Classic", 3)} ${DONE}`);
    const [stock, ...rest] = tried.changes;
    const changes = [{ ...stock, after: { quantity_in_stock: 9 } }, ...rest];
    await expect(apply.run({ ...argsOf(tried), changes }, context())).rejects.toMatchObject({
      code: "changes_differ",
    });
    await expect(apply.run({ ...argsOf(tried), changeset: "AAAA" }, context())).rejects.toMatchObject({
      code: "invalid_changeset",
    });
    expect(ofFile("SELECT count(*) FROM transactions")).toEqual([[1]]);
  });

  it("does not wait for a lock that is held, and does not write to read-only tables", async () => {
    const args = argsOf(await tryOut(`${BUY("Classic", 1)} ${DONE}`));
    using other = open();
    other.exec("BEGIN IMMEDIATE");
    await expect(apply.run(args, context())).rejects.toThrow("another program writes to the source");
    other.exec("ROLLBACK");
    store = { ...store, writable: false };
    await expect(apply.run(args, context())).rejects.toMatchObject({ code: "read_only" });
    expect(ofFile("SELECT count(*) FROM transactions")).toEqual([[1]]);
  });
});

describe("tables whose rows cannot be identified, or that change on their own", () => {
  it("are read-only, and the error explains why", async () => {
    using database = open();
    database.exec(`CREATE TABLE loose (x); CREATE TABLE computed (a INTEGER PRIMARY KEY, b AS (a + 1));
      CREATE TABLE noted (a INTEGER PRIMARY KEY); CREATE TRIGGER t AFTER INSERT ON noted BEGIN DELETE FROM loose; END;`);
    const { text } = await tryOut(`
      const said = ["loose", "computed", "noted"].map((name) => { try { tables[name].insert({}); return "?" } catch (error) { return error.message } });
      answer_text = said.join("; "); STATUS = "success";`);
    expect(text).toBe(
      "loose is read-only: it has no primary key, so its rows cannot be identified; " +
        "computed is read-only: it has columns that are computed; noted is read-only: a trigger would make further changes",
    );
  });

  it("keep rows from referring to rows that do not exist", async () => {
    using database = open();
    database.exec(`CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE);
      INSERT INTO parent VALUES (1), (2); INSERT INTO child VALUES (7, 1);`);
    const removed = argsOf(await tryOut(`tables.parent.remove({ id: 1 }); ${DONE}`));
    expect(removed.changes.map(({ table, op }) => `${op} ${table}`).sort()).toEqual([
      "delete child",
      "delete parent",
    ]);
    const added = argsOf(await tryOut(`tables.child.insert({ id: 8, parent: 2 }); ${DONE}`));
    database.exec("DELETE FROM parent WHERE id = 2");
    await expect(apply.run(added, context("k1"))).rejects.toThrow(
      "a row of child would refer to a row that does not exist",
    );
    await expect(apply.run(removed, context("k2"))).resolves.toMatchObject({ applied: 2 });
    expect(ofFile("SELECT count(*) FROM child")).toEqual([[0]]);
  });
});
