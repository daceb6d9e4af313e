// Malicious files and queries. After each of them the same runner answers the next query, and at the end its children are within
// their memory limit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  openSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TempFolder, tempFolder } from "../testing/temp-folder.ts";
import type { LocalSource } from "./source-tables.ts";
import { createSqlRunner, type SqlRunner } from "./sql-runner.ts";

const MEMORY_MB = 300;
const signal = new AbortController().signal;

let folder: TempFolder;
let sql: SqlRunner;
let others: ReadonlySet<number>;
beforeAll(() => {
  others = new Set(children().keys());
  sql = createSqlRunner({ deadlineMs: 4_000, memoryMb: MEMORY_MB });
});
afterAll(() => sql[Symbol.dispose]());
beforeEach(() => {
  folder = tempFolder();
});
afterEach(async () => {
  const next = { name: "next", kind: "csv", path: folder.write("next.csv", "n\n1\n2\n") } as const;
  const { rows } = await sql.query({ source: next, sql: "SELECT sum(n) AS n FROM next" }, { signal });
  assert.deepEqual(rows, [{ n: 3 }]);
  folder[Symbol.dispose]();
});

/** Checks the memory of this file's children after all attacks. */
function checkMemory(): void {
  const kilobytes = [...children()].filter(([pid]) => !others.has(pid)).map(([, rss]) => rss);
  assert.ok(Math.max(0, ...kilobytes) < MEMORY_MB * 1024, `children take ${kilobytes.join(", ")} kB`);
}

/** The memory of each child of this process, in kilobytes. */
function children(): Map<number, number> {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss="], { encoding: "utf8" }).trim().split("\n");
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return new Map(all.flatMap(([pid = 0, parent, rss = 0]) => (parent === process.pid ? [[pid, rss]] : [])));
}

function csv(text: string | Uint8Array, name = "sales"): LocalSource {
  return { name, kind: "csv", path: folder.write("file.csv", text) };
}

function sqlite(...statements: string[]): LocalSource {
  const path = join(folder.path, "shop.sqlite");
  using database = new DatabaseSync(path, { defensive: false });
  for (const statement of statements) database.exec(statement);
  return { name: "shop", kind: "sqlite", path, live: true };
}

/** A file of any size that occupies no disk space. */
function sparse(name: string, bytes: number, start = ""): string {
  const path = folder.write(name, start);
  const file = openSync(path, "r+");
  ftruncateSync(file, bytes);
  closeSync(file);
  return path;
}

const query = (source: LocalSource, text: string) => sql.query({ source, sql: text }, { signal });
const describeSource = async (source: LocalSource) => (await sql.describe(source, { signal })).tables;
const ITEMS =
  "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO items VALUES (1, 'a'), (2, 'b')";
const NUMBERS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)";

describe("a malicious query", () => {
  afterAll(checkMemory);

  it.each([
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('x', 'y')",
    "SELECT edit('x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT load_extension('x', 'y')",
    "SELECT * FROM pragma_journal_mode('delete')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_writable_schema(1)",
    "SELECT * FROM sqlite_dbpage",
    "WITH gone AS (SELECT 1) DELETE FROM items",
    "EXPLAIN DELETE FROM items",
    "ATTACH ':memory:' AS m",
    "ATTACH '/etc/passwd' AS p",
    "CREATE VIRTUAL TABLE temp.x USING fts5(a)",
    "SAVEPOINT s",
    "SELECT 1;\u0000 DELETE FROM items",
    "SELECT 1 /* \u0000 */",
    "SELECT title FROM items; SELECT 1",
    `SELECT ${"(".repeat(5_000)}1${")".repeat(5_000)}`,
    `SELECT ${Array.from({ length: 3_000 }, () => "1").join(" + ")}`,
    `SELECT ${"x".repeat(70_000)}`,
  ])("is refused: %#", async (text) => {
    const source = sqlite(ITEMS);
    const before = readFileSync(source.path);
    await expect(query(source, text)).rejects.toMatchObject({ code: "invalid_sql" });
    expect(readFileSync(source.path).equals(before)).toBe(true);
  });

  it.each([
    ["loops inside one function call", "SELECT instr(zeroblob(8000000), zeroblob(4000000) || x'01')"],
    ["never gives a row", `${NUMBERS} SELECT n FROM t WHERE n < 0`],
  ])("is stopped at its deadline when it %s", async (_, text) => {
    using hasty = createSqlRunner({ deadlineMs: 700, memoryMb: MEMORY_MB });
    await expect(hasty.query({ source: sqlite(ITEMS), sql: text }, { signal })).rejects.toMatchObject({
      code: "deadline_exceeded",
    });
  });

  it("is stopped at its memory limit when it needs gigabytes to sort", async () => {
    const text = `${NUMBERS} SELECT n || hex(zeroblob(20000)) AS x FROM t ORDER BY x`;
    using small = createSqlRunner({ memoryMb: 150 });
    await expect(small.query({ source: sqlite(ITEMS), sql: text }, { signal })).rejects.toMatchObject({
      code: "out_of_memory",
    });
  });

  it("returns only the first mebibyte of gigabytes", async () => {
    const { rows, truncated } = await query(
      sqlite(ITEMS),
      `${NUMBERS} SELECT hex(zeroblob(100000)) AS x FROM t`,
    );
    expect([rows.length, truncated]).toEqual([5, true]);
  });

  it.each([
    "SELECT group_concat(hex(zeroblob(100000))) FROM (WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 1000) SELECT n FROM t)",
    "SELECT replace(hex(zeroblob(100000)), '0', hex(zeroblob(1000)))",
  ])("cannot build one huge value: %#", async (text) => {
    await expect(query(sqlite(ITEMS), text)).rejects.toMatchObject({ code: "invalid_sql" });
  });
});

describe("a malicious CSV file", () => {
  afterAll(checkMemory);

  it("is refused if it is a gigabyte in size", async () => {
    const source: LocalSource = { name: "big", kind: "csv", path: sparse("big.csv", 2 ** 30, "a,b\n") };
    await expect(query(source, "SELECT 1")).rejects.toMatchObject({
      code: "invalid_source",
      message: expect.stringMatching(/1073741824 bytes of CSV, the limit is 67108864/),
    });
  });

  it("is refused if the files of its folder are too large together", async () => {
    mkdirSync(join(folder.path, "many"));
    for (const name of ["a", "b"]) sparse(`many/${name}.csv`, 40 * 1024 * 1024, "a\n");
    const source: LocalSource = { name: "many", kind: "csv", path: join(folder.path, "many") };
    await expect(query(source, "SELECT 1")).rejects.toThrow(/83886080 bytes of CSV/);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    [
      "10,000 columns",
      `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(",")}\n1\n`,
      /at most 500 columns, got 10000/,
    ],
    ["two million columns", ",".repeat(2_000_000), /header row|at most 500 columns/],
    ["a NUL", "a,b\n1,x\u0000y\n", /wanted text, got a binary file/],
    [
      "a picture",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0xd, 0x49]),
      /wanted text, got a binary file/,
    ],
    ["a quote that never closes", `a,b\n1,"${"2\n".repeat(100_000)}`, /row 1: .*quoted/i],
    ["text behind a quote", 'a,b\n"1"x,2\n', /row 1: .*quote/i],
    ["a row that is longer than its header", "a,b\n1,2\n1,2,3\n", /row 2: wanted at most 2 cells/],
    ["a cell of nine megabytes", `a,b\n1,${"x".repeat(9 * 1024 * 1024)}\n`, /row 1: .*too big/],
  ])("is refused with %s, with the location", async (_, text, says) => {
    await expect(query(csv(text), "SELECT 1")).rejects.toMatchObject({
      code: "invalid_source",
      message: expect.stringMatching(says),
    });
  });

  it("is read up to an incomplete UTF-16 character at its end", async () => {
    const bytes = Buffer.concat([Buffer.from("\uFEFFa\n1", "utf16le"), Buffer.from([0x31])]);
    expect(await query(csv(bytes), "SELECT count(*) AS n FROM sales")).toMatchObject({ rows: [{ n: 1 }] });
  });

  it("becomes a table of harmless names if it has hostile headers", async () => {
    const headers = [
      "__proto__",
      "constructor",
      '"); DROP TABLE sales; --"',
      "a'b",
      "\u202Eevil",
      "rowid",
      "x".repeat(5_000),
    ];
    const source = csv(
      `${headers.map((header) => `"${header.replaceAll('"', '""')}"`).join(",")}\n1,2,3,4,5,6,7\n`,
    );
    const [table] = await describeSource(source);
    const names = table?.columns.map(({ name }) => name) ?? [];
    for (const name of names) expect(name).toMatch(/^[\p{L}_][\p{L}\p{N}_]{0,60}$/u);
    expect(await query(source, `SELECT ${names.join(", ")} FROM sales`)).toMatchObject({
      rows: [Object.fromEntries(names.map((name, index) => [name, index + 1]))],
    });
  });

  it.each(["sqlite_master", "sqlite_sequence", "main", "temp", "pragma_table_info"])(
    "becomes a table even if its source is called %s",
    async (name) => {
      const source = csv("a\n1\n", name);
      const [table] = await describeSource(source);
      expect(await query(source, `SELECT a FROM ${table?.name}`)).toMatchObject({ rows: [{ a: 1 }] });
    },
  );

  it("is refused without being opened if it is not a regular file", async () => {
    for (const path of ["/dev/zero", "/dev/stdin"]) {
      await expect(query({ name: "zero", kind: "csv", path }, "SELECT 1")).rejects.toThrow(/wanted a file/);
      await expect(query({ name: "zero", kind: "sqlite", path }, "SELECT 1")).rejects.toThrow(/wanted a/);
    }
  });

  it("is refused if it is one of 101 in a folder", async () => {
    for (let n = 0; n <= 100; n++) folder.write(`all/t${n}.csv`, "a\n1\n");
    const source: LocalSource = { name: "all", kind: "csv", path: join(folder.path, "all") };
    await expect(query(source, "SELECT 1")).rejects.toThrow(/holds 101 CSV files, the limit is 100/);
  });
});

describe("a malicious SQLite file", () => {
  afterAll(checkMemory);

  const filled = () =>
    sqlite(
      ITEMS,
      "CREATE TABLE more (x TEXT)",
      "INSERT INTO more WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 3000) SELECT hex(randomblob(50)) FROM t",
    );
  const harm = (path: string, from: number, bytes: number) => {
    const content = readFileSync(path);
    content.fill(0xa5, from, from + bytes);
    writeFileSync(path, content);
  };

  it.each<[string, (path: string) => void]>([
    ["with broken pages", (path) => harm(path, 4096 * 3, 4096 * 60)],
    ["cut off in the middle", (path) => truncateSync(path, 4096 * 20)],
    ["cut off in its header", (path) => truncateSync(path, 50)],
    ["with a broken schema", (path) => harm(path, 3_500, 596)],
    ["with another magic", (path) => harm(path, 0, 16)],
    ["with an impossible page size", (path) => harm(path, 16, 2)],
  ])("is reported as damaged: %s", async (_, damage) => {
    const source = filled();
    damage(source.path);
    await expect(query(source, "SELECT count(*), sum(length(x)) FROM more")).rejects.toMatchObject({
      code: "invalid_source",
    });
    await expect(describeSource(source)).rejects.toMatchObject({ code: "invalid_source" });
  });

  it("is empty when it has no bytes", async () => {
    const source: LocalSource = {
      name: "none",
      kind: "sqlite",
      path: folder.write("none.db", ""),
      live: true,
    };
    expect(await describeSource(source)).toEqual([]);
    await expect(query(source, "SELECT * FROM items")).rejects.toMatchObject({ code: "invalid_sql" });
  });

  it("is read normally with large pages, strange names and many tables", async () => {
    const many = Array.from({ length: 300 }, (_, n) => `CREATE TABLE z${n} (a)`);
    const source = sqlite(
      "PRAGMA page_size = 65536",
      'CREATE TABLE "a"";\nDROP TABLE x;--" ("__proto__", "", "sp ace" DEFAULT 7)',
      `INSERT INTO "a"";\nDROP TABLE x;--" VALUES (1, 2, 3)`,
      `BEGIN; ${many.join(";")}; COMMIT`,
    );
    const tables = await describeSource(source);
    expect(tables).toHaveLength(100);
    expect(tables[0]).toMatchObject({
      name: 'a";\nDROP TABLE x;--',
      rows: 1,
      columns: [{ name: "__proto__", samples: [1] }, {}, {}],
    });
  });

  it("is described without its views and columns that fail or never end", async () => {
    const source = sqlite(
      ITEMS,
      `CREATE VIEW endless AS ${NUMBERS} SELECT count(*) AS n FROM t`,
      "CREATE VIEW broken AS SELECT * FROM nowhere",
      "CREATE VIEW loud AS SELECT load_extension('x') AS y",
      "CREATE VIEW odd AS SELECT json_extract('{', '$') AS x",
      "CREATE TABLE computed (a, b AS (abs(a)))",
      "CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END",
    );
    using hasty = createSqlRunner({ deadlineMs: 1_500, memoryMb: MEMORY_MB });
    const { tables } = await hasty.describe(source, { signal });
    const items = tables.find(({ name }) => name === "items");
    expect(items).toMatchObject({
      rows: 2,
      columns: [{ name: "id" }, { name: "title", samples: ["a", "b"] }],
    });
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["endless", "odd", "computed"]));
    expect(await query(source, "SELECT count(*) AS n FROM items")).toMatchObject({ rows: [{ n: 2 }] });
  });

  it("is read as far as possible if its schema was forged", async () => {
    const source = sqlite(ITEMS, "CREATE TABLE forged (a)");
    {
      using database = new DatabaseSync(source.path, { defensive: false });
      database.exec(`PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE forged USING nothing_there(a)', rootpage = 0 WHERE name = 'forged'`);
    }
    expect(await query(source, "SELECT count(*) AS n FROM items")).toMatchObject({ rows: [{ n: 2 }] });
    expect((await describeSource(source)).map(({ name }) => name)).toContain("items");
  });

  it("has a description of bounded size with 2,000 columns of long text", async () => {
    const columns = Array.from({ length: 1_900 }, (_, n) => `c${n}_${"x".repeat(60)}`);
    const source = sqlite(
      ...Array.from({ length: 3 }, (_, n) => `CREATE TABLE wide${n} (${columns.join(" TEXT, ")} TEXT)`),
      ...Array.from(
        { length: 3 },
        (_, n) => `INSERT INTO wide${n} VALUES (${columns.map(() => `'${"y".repeat(20)}'`).join(", ")})`,
      ),
    );
    const tables = await describeSource(source);
    expect(tables.length).toBeGreaterThan(0);
    expect(JSON.stringify(tables).length).toBeLessThan(512 * 1024);
  });

  it.each<[string, (path: string) => void]>([
    ["is missing", () => undefined],
    ["is rubbish", (path) => writeFileSync(`${path}-wal`, "rubbish".repeat(10_000))],
    ["is empty", (path) => writeFileSync(`${path}-wal`, "")],
  ])("is read without its log if that %s", async (_, damage) => {
    const source = sqlite("PRAGMA journal_mode = WAL", ITEMS);
    expect(statSync(`${source.path}-wal`, { throwIfNoEntry: false })).toBeUndefined();
    damage(source.path);
    expect(await query(source, "SELECT count(*) AS n FROM items")).toMatchObject({ rows: [{ n: 2 }] });
  });

  it("is reported as busy as long as it is locked", async () => {
    const source = sqlite(ITEMS);
    using writer = new DatabaseSync(source.path);
    writer.exec("BEGIN EXCLUSIVE");
    await expect(query(source, "SELECT 1 FROM items")).rejects.toMatchObject({
      name: "TransientError",
      message: expect.stringContaining("busy"),
    });
    writer.exec("ROLLBACK");
    expect(await query(source, "SELECT count(*) AS n FROM items")).toMatchObject({ rows: [{ n: 2 }] });
  });
});
