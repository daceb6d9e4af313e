// A store's plan in Python, as its authors would write it, from the request to the rows of a real file.
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DataRules } from "@planwright/plan";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { findImage } from "../sandbox/python/image-file.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { createSourceWriter } from "../sql/source-writer.ts";
import { createSqlRunner } from "../sql/sql-runner.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { dataApply } from "../sql/data-apply.ts";
import { dataDryrun } from "./data-dryrun.ts";
import type { OpenSource } from "../tools/define-tool.ts";
import { testContext } from "../tools/testing/test-context.ts";

const STORE = new URL("../../../../examples/sunglasses-store/", import.meta.url);
const SEED = readFileSync(new URL("seed.sql", STORE), "utf8");
const PLAN = readFileSync(new URL("../sandbox/testing/store-plan.py", import.meta.url), "utf8");
const { rules } = z
  .object({ sources: z.object({ store: z.object({ rules: DataRules }) }) })
  .parse(JSON.parse(readFileSync(new URL("sources.json", STORE), "utf8"))).sources.store;

const folder = tempFolder();
const sandbox = createSandbox({ deadlineMs: 120_000 });
const sql = createSqlRunner();
const writer = createSourceWriter();
const dryrun = dataDryrun({ sql, sandbox, now: () => Date.UTC(2026, 0, 1) });
const apply = dataApply({ writer });
beforeAll(async () => {
  await findImage();
  using database = new DatabaseSync(path);
  database.exec(SEED);
}, 300_000);
afterAll(() => {
  for (const one of [sandbox, sql, writer, folder]) one[Symbol.dispose]();
});

const path = folder.write("store.db", "");
const store: OpenSource = { name: "store", kind: "sqlite", writable: true, path, rules, live: true };
const context = testContext({
  sources: { list: async () => [store], open: async (name) => (name === "store" ? store : undefined) },
  effectKey: () => "p1/apply/0/0",
});

const Tried = z.object({
  text: z.string(),
  status: z.string(),
  data: z.looseObject({}),
  changed: z.boolean(),
  changes: z.array(z.looseObject({ table: z.string() })),
  changeset: z.string(),
});
const tryOut = async (request: string, code = PLAN) =>
  Tried.parse(await dryrun.run({ source: "store", language: "python", code, request }, context));
const rowsOf = (query: string) => {
  using database = new DatabaseSync(path);
  return database
    .prepare(query)
    .all()
    .map((row) => Object.values(row));
};
const STOCK = "SELECT item_id, quantity_in_stock FROM inventory WHERE item_id IN ('SG001', 'SG005')";
const TILL = "SELECT transaction_id, transaction_amount, balance_after_transaction FROM transactions";

it("tries a purchase of two items on a copy, then applies it to the file", async () => {
  const tried = await tryOut("I want to buy 3 pairs of classic sunglasses and 1 pair of aviator sunglasses.");
  expect(tried).toMatchObject({ status: "success", changed: true });
  expect(rowsOf(TILL)).toHaveLength(1);
  const { changed: _changed, ...found } = tried;
  await apply.run({ source: "store", ...found }, context);
  expect(rowsOf(STOCK)).toEqual([
    ["SG001", 22],
    ["SG005", 7],
  ]);
  expect(rowsOf(TILL).slice(1)).toEqual([
    ["TXN002", 180, 680],
    ["TXN003", 80, 760],
  ]);
});

it("answers a question with rows and changes nothing", async () => {
  expect(await tryOut("Do you have any round sunglasses in stock that are under $100?")).toMatchObject({
    text: "Yes, we have our Classic sunglasses, a round frame, for $60.",
    status: "success",
    data: { rows: [{ item_id: "SG005", price: 60 }] },
    changes: [],
  });
});

it.each([
  ["import os\nos.remove('store.db')", "forbidden_code", /os/],
  [
    "inventory_tbl.update({'quantity_in_stock': 0}, Query().name == 'Moon')\nanswer_text, STATUS = 'x', 'success'",
    "rules_broken",
    /./,
  ],
  [
    "\ntransactions_tbl.insert({'colour': 1})",
    "code_error",
    /^line 2: ValueError: transactions has no column/,
  ],
  ["result = 1", "missing_answer", /answer_text/],
])("refuses %j", async (code, refused, message) => {
  await expect(tryOut("buy 1 moon", code)).rejects.toMatchObject({
    code: refused,
    message: expect.stringMatching(message),
  });
});
