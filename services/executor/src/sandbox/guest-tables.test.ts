// Programs with tables: what they can do with rows, and how their changes are reported.
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { readChangeset } from "../changeset/read-changeset.ts";
import type { GuestDatabase } from "./program.ts";
import { createSandbox } from "./sandbox.ts";

const sandbox = createSandbox();
afterAll(() => sandbox[Symbol.dispose]());

const TABLES: GuestDatabase["tables"] = [
  { name: "items", columns: ["id", "name", "stock", "price", "photo"], key: ["id"] },
  { name: "lines", columns: ["a", "b", "text"], key: ["a", "b"] },
  { name: "numbered", columns: ["n", "big"], key: ["n"] },
  { name: "loose", columns: ["x"], key: [], fixed: "it has no primary key" },
];
const SCHEMA = `
  CREATE TABLE items (id TEXT PRIMARY KEY, name TEXT NOT NULL, stock INTEGER CHECK (stock >= 0), price REAL, photo BLOB);
  CREATE TABLE lines (a INTEGER, b TEXT, text TEXT, PRIMARY KEY (a, b));
  CREATE TABLE numbered (n INTEGER PRIMARY KEY, big INTEGER);
  CREATE TABLE loose (x TEXT);
  CREATE TABLE secret (s TEXT PRIMARY KEY);
  INSERT INTO items VALUES ('SG001', 'Aviator', 23, 80, x'0102'), ('SG005', 'Classic', 10, 60, NULL);
  INSERT INTO lines VALUES (1, 'x', 'one');
  INSERT INTO numbered VALUES (1, 9007199254740993);
  INSERT INTO loose VALUES ('here');
  INSERT INTO secret VALUES ('never seen');`;

function copyOf(schema: string): Uint8Array {
  using database = new DatabaseSync(":memory:");
  database.exec(schema);
  return database.serialize();
}
const bytes = copyOf(SCHEMA);

async function run(code: string, database: GuestDatabase = { bytes, tables: TABLES }) {
  const program = { language: "javascript", code, input: null, tools: [], nowMs: 0, database } as const;
  const { end, changeset } = await sandbox.run(program, {
    signal: new AbortController().signal,
    callTool: () => Promise.reject(new Error("no tools")),
  });
  const columnsOf = (name: string) => database.tables.find((table) => table.name === name)?.columns;
  return { end, changes: changeset === undefined ? undefined : readChangeset(changeset, columnsOf) };
}

async function failure(code: string): Promise<string> {
  const { end, changes } = await run(code);
  expect(changes).toBeUndefined();
  return end.ok ? `it returned ${JSON.stringify(end.value)}` : end.failure.message;
}

describe("a program with tables", () => {
  it("reads rows as JSON without changing anything", async () => {
    const { end, changes } = await run(`
      const { items, numbered, loose, secret } = tables;
      return [Object.keys(tables), items.all()[0], items.get({ name: "Classic" }).price, items.get({ name: "Moon" }) ?? null,
        items.count((row) => row.price < 100), items.search({ stock: 10 }).length, numbered.all(), loose.count(), typeof secret];`);
    const aviator = { id: "SG001", name: "Aviator", stock: 23, price: 80, photo: { base64: "AQI=" } };
    const value = [
      ["items", "lines", "numbered", "loose"],
      aviator,
      60,
      null,
      2,
      1,
      [{ n: 1, big: "9007199254740993" }],
      1,
      "undefined",
    ];
    expect(end).toEqual({ ok: true, value });
    expect(changes).toEqual([]);
  });

  it("changes a copy and gets the outcome for each row", async () => {
    const { end, changes } = await run(`
      const added = tables.numbered.insert({ big: true });
      const updated = tables.items.update((row) => ({ stock: row.stock - 3 }), { id: "SG005" });
      tables.lines.insert({ a: 2, b: "y" });
      tables.items.insert({ id: "SG002", name: "Moon", photo: { base64: "/w==" } });
      tables.items.remove((row) => row.id === "SG001");
      return { added, stock: updated[0].stock, left: tables.items.all().map((row) => row.id) };`);
    expect(end).toEqual({
      ok: true,
      value: { added: { n: 2, big: 1 }, stock: 7, left: ["SG005", "SG002"] },
    });
    expect(changes).toHaveLength(5);
    expect(changes).toEqual(
      expect.arrayContaining([
        { table: "numbered", op: "insert", key: { n: 2 }, before: null, after: { n: 2, big: 1 } },
        { table: "items", op: "update", key: { id: "SG005" }, before: { stock: 10 }, after: { stock: 7 } },
        {
          table: "items",
          op: "delete",
          key: { id: "SG001" },
          before: { id: "SG001", name: "Aviator", stock: 23, price: 80, photo: { base64: "AQI=" } },
          after: null,
        },
      ]),
    );
  });

  it("adds rows in the order in which it reports them", async () => {
    const { changes } = await run(
      `for (const n of [9, 3, 7, 4, 12, 6, 5]) tables.numbered.insert({ n }); tables.numbered.remove({ n: 3 }); tables.numbered.insert({ n: 3 });`,
    );
    expect(changes?.map(({ key }) => key["n"])).toEqual([9, 7, 4, 12, 6, 5, 3]);
  });

  it("leaves nothing for the next program", async () => {
    await run(`tables.items.remove(() => true);`);
    expect((await run("return tables.items.count()")).end).toEqual({ ok: true, value: 2 });
  });

  it.each([
    ["a table that is not there", `tables.secret.all()`, "undefined"],
    [
      "a column that is not there",
      `tables.items.insert({ id: "x", colour: "red" })`,
      'items has no column "colour", it has: id, name',
    ],
    [
      "a value that is none",
      `tables.items.update({ name: ["a"] }, { id: "SG001" })`,
      "items.name: wanted a text, a number or null",
    ],
    ["a constraint", `tables.items.update({ stock: -1 }, { id: "SG001" })`, "CHECK constraint failed"],
    ["a key twice", `tables.items.insert({ id: "SG001", name: "again" })`, "UNIQUE constraint failed"],
    [
      "another key",
      `tables.items.update({ id: "SG009" }, { id: "SG001" })`,
      "items.id: a primary key cannot be changed",
    ],
    ["no key at all", `tables.items.insert({ name: "keyless" })`, "a new row of items needs its id"],
    [
      "a table without a primary key",
      `tables.loose.insert({ x: "y" })`,
      "loose is read-only: it has no primary key",
    ],
    ["rows that are not named", `tables.items.remove()`, "remove of items wants to know which rows"],
    ["no row", `tables.items.insert(null)`, "wanted a row, an object of its columns"],
    [
      "too many changes",
      `for (let n = 2; ; n += 1) tables.numbered.insert({ n })`,
      "more than 1000 rows are changed",
    ],
    [
      "too much of them",
      `for (let n = 2; n < 9; n += 1) tables.items.insert({ id: "x" + n, name: "y".repeat(8_000) })`,
      "the limit is",
    ],
  ])("cannot use %s", async (_what, code, message) => {
    const said = await failure(code).catch((error: unknown) => String(error));
    expect(said).toContain(message);
  });

  it("keeps rows without a key out of the tables", async () => {
    const { end, changes } = await run(
      `try { tables.items.insert({ name: "keyless" }) } catch {} return tables.items.count()`,
    );
    expect([end, changes]).toEqual([{ ok: true, value: 2 }, []]);
  });

  it("is stopped when its tables alone use up all of its time", async () => {
    using hasty = createSandbox({ deadlineMs: 100 });
    const program = {
      language: "javascript",
      code: "for (;;) tables.items.all()",
      input: null,
      tools: [],
      nowMs: 0,
    } as const;
    const host = { signal: new AbortController().signal, callTool: () => Promise.reject(new Error("none")) };
    const { end } = await hasty.run({ ...program, database: { bytes, tables: TABLES } }, host);
    expect(end).toMatchObject({ ok: false, failure: { code: "deadline_exceeded" } });
  });
});
