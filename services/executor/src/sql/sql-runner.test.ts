// Real CSV and SQLite files, queried in real child processes.
import { createHash } from "node:crypto";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TempFolder, tempFolder } from "../testing/temp-folder.ts";
import type { SqlParams } from "./query-result.ts";
import type { LocalSource } from "./source-tables.ts";
import { createSqlRunner } from "./sql-runner.ts";

const signal = new AbortController().signal;
const sql = createSqlRunner();
afterAll(() => sql[Symbol.dispose]());

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.dispose]());

const SALES = `Date,Region,Product Name,Units,Unit price (€),Zip
2025-10-01,North,Anvil,3,10.5,00501
2025-10-02,South,"Rocket, large",2,99,10001
2025-11-05,North,"He said ""hi""",1,NA,

2025-12-31,West,Glue,40,0.25,94110
`;

function csv(text: string | Uint8Array, name = "sales"): LocalSource {
  return { name, kind: "csv", path: folder.write("digest-4f2a", text) };
}

function sqlite(...statements: string[]): LocalSource {
  const path = join(folder.path, "shop.sqlite");
  using database = new DatabaseSync(path);
  for (const statement of statements) database.exec(statement);
  return { name: "shop", kind: "sqlite", path };
}

const query = (source: LocalSource, text: string, params?: SqlParams) =>
  sql.query({ source, sql: text, ...(params === undefined ? {} : { params }) }, { signal });

async function rowsOf(source: LocalSource, text: string, params?: SqlParams) {
  return (await query(source, text, params)).rows;
}

describe("a CSV source", () => {
  it("is a table of typed columns, named after the source", async () => {
    const { rows, columns, rowCount, truncated } = await query(
      csv(SALES),
      `SELECT region, sum(units) AS units, round(sum(units * unit_price), 2) AS revenue
       FROM sales GROUP BY region ORDER BY revenue DESC`,
    );
    expect(columns).toEqual(["region", "units", "revenue"]);
    expect(rows).toEqual([
      { region: "South", units: 2, revenue: 198 },
      { region: "North", units: 4, revenue: 31.5 },
      { region: "West", units: 40, revenue: 10 },
    ]);
    expect({ rowCount, truncated }).toEqual({ rowCount: 3, truncated: false });
  });

  it("is described by its columns' types, samples and original headers", async () => {
    await expect(sql.describe(csv(SALES), { signal })).resolves.toEqual({
      tables: [
        {
          name: "sales",
          rows: 4,
          columns: [
            {
              name: "date",
              type: "date",
              header: "Date",
              samples: ["2025-10-01", "2025-10-02", "2025-11-05", "2025-12-31"],
              unique: true,
              min: "2025-10-01",
              max: "2025-12-31",
            },
            {
              name: "region",
              type: "text",
              header: "Region",
              samples: ["North", "South", "West"],
              complete: true,
            },
            {
              name: "product_name",
              type: "text",
              header: "Product Name",
              samples: ["Anvil", "Rocket, large", 'He said "hi"', "Glue"],
              complete: true,
              unique: true,
            },
            {
              name: "units",
              type: "integer",
              header: "Units",
              samples: [3, 2, 1, 40],
              unique: true,
              min: 1,
              max: 40,
            },
            {
              name: "unit_price",
              type: "real",
              header: "Unit price (€)",
              samples: [10.5, 99, 0.25],
              empty: 1,
              min: 0.25,
              max: 99,
            },
            {
              name: "zip",
              type: "text",
              header: "Zip",
              samples: ["00501", "10001", "94110"],
              complete: true,
              empty: 1,
            },
          ],
        },
      ],
    });
  });

  it("is described with every value of a column of few texts, and with five of any other column", async () => {
    const rows = Array.from({ length: 41 }, (_, index) => `name ${index},kind ${index % 40}`);
    const { tables } = await sql.describe(csv(`name,kind\n${rows.join("\n")}\n`), { signal });
    const [name, kind] = tables[0]?.columns ?? [];
    expect(name).toMatchObject({ name: "name", samples: { length: 5 } });
    expect(name).not.toHaveProperty("complete");
    expect(kind).toMatchObject({ name: "kind", samples: { length: 40 }, complete: true });
  });

  it("is read again when the file changes", async () => {
    const source = csv("n\n1\n");
    expect(await rowsOf(source, "SELECT n FROM sales")).toEqual([{ n: 1 }]);
    csv("n\n1\n2\n");
    expect(await rowsOf(source, "SELECT sum(n) AS n FROM sales")).toEqual([{ n: 3 }]);
  });

  it("has a table per file if it is a folder, and can join them", async () => {
    folder.write("data/orders.csv", "id,customer\n1,7\n2,8\n");
    folder.write("data/Customer List.CSV", "id;name\n7;Ada\n8;Bob\n");
    folder.write("data/notes.txt", "not a table");
    const source: LocalSource = { name: "crm", kind: "csv", path: join(folder.path, "data") };
    expect(
      await rowsOf(
        source,
        "SELECT o.id, c.name FROM orders o JOIN customer_list c ON c.id = o.customer ORDER BY 1",
      ),
    ).toEqual([
      { id: 1, name: "Ada" },
      { id: 2, name: "Bob" },
    ]);
  });

  it("does not follow links out of its folder", async () => {
    const outside = folder.write("secret.csv", "secret\n1\n");
    folder.write("data/open.csv", "n\n1\n");
    symlinkSync(outside, join(folder.path, "data/linked.csv"));
    const { tables } = await sql.describe(
      { name: "d", kind: "csv", path: join(folder.path, "data") },
      { signal },
    );
    expect(tables.map(({ name }) => name)).toEqual(["open"]);
  });

  it("gets unique names without quotes from any headers", async () => {
    const source = csv("order,Group,group,,2024,Größe,__proto__,a-b,a b\n1,2,3,4,5,6,7,8,9\n", "select");
    const { tables } = await sql.describe(source, { signal });
    expect(tables[0]?.name).toBe("select_");
    const names = tables[0]?.columns.map(({ name }) => name) ?? [];
    expect(names).toEqual([
      "order_",
      "group_",
      "group__2",
      "column_4",
      "_2024",
      "größe",
      "proto",
      "a_b",
      "a_b_2",
    ]);
    expect(await rowsOf(source, `SELECT ${names.join(", ")} FROM select_`)).toEqual([
      Object.fromEntries(names.map((name, index) => [name, index + 1])),
    ]);
  });

  it("gets names with separated words from headers in camel case", async () => {
    const source = csv("unitPrice,OrderID,URLPath,weightG,Q3Sales,pH,kWh,eMail,GROUPS\n1,2,3,4,5,6,7,8,9\n");
    const { tables } = await sql.describe(source, { signal });
    expect(tables[0]?.columns.map(({ name }) => name)).toEqual([
      "unit_price",
      "order_id",
      "url_path",
      "weight_g",
      "q3_sales",
      "ph",
      "kwh",
      "email",
      "groups",
    ]);
  });

  it("keeps long numbers and leading zeros as text, and empty values as NULL", async () => {
    const source = csv(
      "card,code,amount,when,note\n4111111111111111,007,1,2025-01-02T10:00:00Z,NA\n1,8,,2025-01-03,\n",
    );
    const { tables } = await sql.describe(source, { signal });
    expect(tables[0]?.columns.map(({ type }) => type)).toEqual([
      "text",
      "text",
      "integer",
      "datetime",
      "text",
    ]);
    expect(await rowsOf(source, "SELECT * FROM sales")).toEqual([
      { card: "4111111111111111", code: "007", amount: 1, when_: "2025-01-02T10:00:00Z", note: "NA" },
      { card: "1", code: "8", amount: null, when_: "2025-01-03", note: null },
    ]);
  });

  it.each([
    { encoding: "UTF-8 with a mark", bytes: Buffer.from("\uFEFFname\nJosé\n") },
    { encoding: "UTF-16", bytes: Buffer.from("\uFEFFname\nJosé\n", "utf16le") },
    { encoding: "Windows-1252", bytes: Buffer.from("name\nJosé\n", "latin1") },
  ])("is read as $encoding", async ({ bytes }) => {
    expect(await rowsOf(csv(bytes), "SELECT name FROM sales")).toEqual([{ name: "José" }]);
  });

  it("separates its rows whichever line ends they have", async () => {
    const source = csv('name,note\r\nAnn,"one\r\ntwo"\nBob,\rCid,c\r\n');
    expect(await rowsOf(source, "SELECT * FROM sales")).toEqual([
      { name: "Ann", note: "one\ntwo" },
      { name: "Bob", note: null },
      { name: "Cid", note: "c" },
    ]);
  });

  it("has no rows when it has only a header", async () => {
    expect(await rowsOf(csv("a,b\n"), "SELECT a, b FROM sales")).toEqual([]);
  });

  it.each([
    { fault: "nothing", text: "", says: /wanted a header row/ },
    {
      fault: "a row with too many cells",
      text: "a,b\n1,2\n1,2,3\n",
      says: /row 2: wanted at most 2 cells .* got 3/,
    },
    { fault: "an open quote", text: 'a,b\n1,"2\n3,4\n', says: /row 1: .*quoted/i },
  ])("is refused for $fault, with the location", async ({ text, says }) => {
    await expect(query(csv(text), "SELECT 1")).rejects.toMatchObject({
      code: "invalid_source",
      message: expect.stringMatching(says),
    });
  });
});

describe("a SQLite source", () => {
  const shop = () =>
    sqlite(
      "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, price REAL, photo BLOB)",
      "INSERT INTO items VALUES (1, 'Aviator', 80.5, x'010203'), (9007199254740993, 'Classic', 60, NULL)",
      "CREATE VIEW cheap AS SELECT title FROM items WHERE price < 70",
      "CREATE VIRTUAL TABLE search USING fts5(title); INSERT INTO search VALUES ('Aviator glasses')",
    );

  it("is queried without being changed, including full-text tables and views", async () => {
    const source = shop();
    expect(await rowsOf(source, "SELECT * FROM items ORDER BY id")).toEqual([
      { id: 1, title: "Aviator", price: 80.5, photo: "(3 bytes)" },
      { id: "9007199254740993", title: "Classic", price: 60, photo: null },
    ]);
    expect(await rowsOf(source, "SELECT * FROM cheap")).toEqual([{ title: "Classic" }]);
    expect(await rowsOf(source, "SELECT title FROM search WHERE search MATCH ?", ["glasses"])).toHaveLength(
      1,
    );
  });

  it("is described without running its views' counts", async () => {
    const { tables } = await sql.describe(shop(), { signal });
    expect(tables.map(({ name, rows }) => ({ name, rows }))).toEqual([
      { name: "cheap", rows: null },
      { name: "items", rows: 2 },
      { name: "search", rows: 1 },
    ]);
    expect(tables[1]?.columns[2]).toEqual({
      name: "price",
      type: "real",
      samples: [80.5, 60],
      unique: true,
      min: 60,
      max: 80.5,
    });
  });

  it.each([
    "INSERT INTO items VALUES (3, 'x', 1, NULL)",
    "INSERT INTO items VALUES (3, 'x', 1, NULL) RETURNING id",
    "UPDATE items SET price = 0",
    "DELETE FROM items",
    "DROP TABLE items",
    "CREATE TABLE more (a)",
    "CREATE TEMP TABLE more AS SELECT * FROM items",
    "ATTACH 'other.sqlite' AS other",
    "DETACH main",
    "VACUUM INTO 'copy.sqlite'",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version = 7",
    "PRAGMA writable_schema = ON",
    "BEGIN IMMEDIATE",
    "SELECT load_extension('x')",
    "REINDEX",
    "ANALYZE",
    "SELECT 1; DELETE FROM items",
    "SELECT 1; SELECT 2",
    "SELECT 1; nonsense",
    "-- only a comment",
    "",
  ])("is never changed by %j", async (text) => {
    const source = shop();
    const before = digest(source.path);
    await expect(query(source, text)).rejects.toMatchObject({ code: "invalid_sql" });
    expect(digest(source.path)).toBe(before);
    expect(await rowsOf(source, "SELECT count(*) AS n FROM items")).toEqual([{ n: 2 }]);
  });

  it("lists the existing tables and columns when a name is wrong", async () => {
    const source = shop();
    await expect(query(source, "SELECT prize FROM items")).rejects.toThrow(
      /no such column: prize\. There are: cheap\(title\); items\(id, title, price, photo\)/,
    );
    await expect(query(source, "SELECT 1 FROM itms")).rejects.toThrow(
      /no such table: itms\. There are: cheap/,
    );
    await expect(query(source, 'SELECT id FROM items WHERE title = "Aviator"')).rejects.toThrow(
      /single-quotes/,
    );
    await expect(query(source, "SELEC 1")).rejects.toThrow(/near "SELEC": syntax error/);
  });

  it("is refused when it is missing or is not a database", async () => {
    const path = folder.write(
      "fake.sqlite",
      "this is no database, although it is long enough to be taken for one".repeat(20),
    );
    await expect(query({ name: "fake", kind: "sqlite", path }, "SELECT 1")).rejects.toMatchObject({
      code: "invalid_source",
      message: expect.stringContaining("not a database"),
    });
    const gone: LocalSource = { name: "gone", kind: "sqlite", path: join(folder.path, "gone") };
    await expect(query(gone, "SELECT 1")).rejects.toThrow(/source gone: its file is missing/);
  });
});

describe("a query", () => {
  const numbers = (count: number) =>
    `WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT ${count})`;

  it("takes values by position and by name, and binds whole numbers as integers", async () => {
    const source = csv(SALES);
    expect(await rowsOf(source, "SELECT 7 / ? AS half, ? AS yes", [2, true])).toEqual([{ half: 3, yes: 1 }]);
    expect(
      await rowsOf(source, "SELECT units FROM sales WHERE region = :region AND units > $least", {
        region: "North",
        least: 1,
      }),
    ).toEqual([{ units: 3 }]);
  });

  it.each<{ text: string; params: SqlParams }>([
    { text: "SELECT ?", params: [] },
    { text: "SELECT ?", params: [1, 2] },
    { text: "SELECT :a, :b", params: { a: 1 } },
    { text: "SELECT :a", params: { b: 1 } },
  ])("refuses values that do not match its placeholders: $text with $params", async ({ text, params }) => {
    await expect(query(csv(SALES), text, params)).rejects.toMatchObject({ code: "invalid_sql" });
  });

  it("returns max 1,000 rows and reports that there are more", async () => {
    const source = csv(SALES);
    const whole = await query(source, `${numbers(1_000)} SELECT n FROM t`);
    expect(whole).toMatchObject({ rowCount: 1_000, truncated: false });
    const cut = await query(source, `${numbers(1_001)} SELECT n FROM t`);
    expect(cut).toMatchObject({ rowCount: 1_000, truncated: true });
    expect(cut.rows.at(-1)).toEqual({ n: 1_000 });
  });

  it("returns max one mebibyte and reports that there is more", async () => {
    const cut = await query(csv(SALES), `${numbers(900)} SELECT hex(zeroblob(5000)) AS text FROM t`);
    expect(cut.truncated).toBe(true);
    expect(cut.rowCount).toBeGreaterThan(50);
    expect(JSON.stringify(cut.rows).length).toBeLessThan(1_100_000);
  });

  it("keeps two columns of the same name apart", async () => {
    expect(await rowsOf(csv(SALES), 'SELECT 1 AS a, 2 AS a, 3 AS "__proto__"')).toEqual([
      { a: 1, a_2: 2, proto: 3 },
    ]);
  });

  it("is stopped at its deadline however it blocks, and the next query runs", async () => {
    using hasty = createSqlRunner({ deadlineMs: 1_500 });
    const source = csv(SALES);
    const endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";
    await expect(hasty.query({ source, sql: endless }, { signal })).rejects.toMatchObject({
      code: "deadline_exceeded",
    });
    await expect(sql.query({ source, sql: "SELECT 1 AS one" }, { signal })).resolves.toMatchObject({
      rows: [{ one: 1 }],
    });
  });

  it("is stopped when its plan is cancelled", async () => {
    const stop = new AbortController();
    const source = csv(SALES);
    const endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t";
    const running = sql.query({ source, sql: endless }, { signal: stop.signal });
    stop.abort(new Error("cancelled"));
    await expect(running).rejects.toThrow("cancelled");
  });

  it.each([
    "SELECT zeroblob(100000000)",
    "SELECT printf('%.*c', 100000000, 'x')",
    "SELECT randomblob(9000000)",
  ])("cannot build a huge value: %s", async (text) => {
    await expect(query(csv(SALES), text)).rejects.toMatchObject({ code: "invalid_sql" });
  });
});

function digest(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
