// Data on the executor's machine: announced, watched, and opened in place.
import { type Bus, BUCKETS, openRegistry, type Registry } from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { DataSource } from "@planwright/shared/tools";
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSqlRunner } from "../src/sql/sql-runner.ts";
import { sqlQuery } from "../src/sql/sql-query.ts";
import { type ExecutorBench, startExecutorBench } from "./support/executor-bench.ts";

const sql = createSqlRunner();
let folder: string;
let bench: ExecutorBench;
let registry: Registry<DataSource>;

const inFolder = (name: string): string => path.join(folder, name);
const configure = async (sources: object): Promise<void> => {
  // Atomically, as writers of shared files should do.
  await writeFile(inFolder("sources.json.new"), JSON.stringify({ sources }));
  await rename(inFolder("sources.json.new"), inFolder("sources.json"));
};
const source = (name: string) => registry.entries().get(name);
const rowsOf = (name: string) => source(name)?.tables?.map((table) => [table.name, table.rows]);
const store = { kind: "sqlite", path: "store.db", writable: true, rules: { items: { insert: false } } };

function openStore(file = inFolder("store.db")): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS items (id TEXT PRIMARY KEY, n INTEGER)",
  );
  return database;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "planwright-local-"));
  using database = openStore();
  database.exec("INSERT INTO items VALUES ('a', 1)");
  await mkdir(inFolder("sales"));
  await writeFile(inFolder("sales/north.csv"), "region,units\nNorth,3\n");
  await configure({
    store,
    sales: { kind: "csv", path: "sales" },
    later: { kind: "csv", path: "later.csv" },
  });
  const sourcesPlace = { named: undefined, folders: [inFolder("none"), folder] };
  bench = await startExecutorBench([sqlQuery({ sql })], leaveBehind, { sourcesPlace });
});

/** Leaves announcements of earlier executors: of this configuration, on another machine, and an upload with one of our names. */
async function leaveBehind(bus: Bus): Promise<void> {
  const log = createLogger({ name: "test", level: "silent" });
  registry = await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log });
  const local = { path: "/x", host: os.hostname(), config: inFolder("sources.json") };
  await registry.put("gone", { name: "gone", kind: "csv", files: [], local });
  const other = { ...local, host: "other" };
  await registry.put("elsewhere", { name: "elsewhere", kind: "csv", files: [], local: other });
  const file = { fileName: "sales.csv", artifact: "sales/1/sales.csv", bytes: 1, sha256: "0" };
  await registry.put("sales", { name: "sales", kind: "csv", files: [file] });
}

afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
  sql[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

const ask = async (stepId: string, name: string, text: string) => {
  const outcome = await bench.run(stepId, "sql.query", { source: name, sql: text });
  return outcome.type === "step.succeeded"
    ? outcome.data.output
    : { ...outcome.data.error, retryable: outcome.data.retryable };
};

describe("a configured source", () => {
  it("is announced with its tables, its rules and whether it is writable", async () => {
    await expect.poll(() => [rowsOf("store"), rowsOf("sales")]).toEqual([[["items", 1]], [["north", 1]]]);
    expect(source("store")).toMatchObject({
      kind: "sqlite",
      files: [],
      writable: true,
      rules: { items: { insert: false, update: true } },
      local: { path: inFolder("store.db"), config: inFolder("sources.json") },
      tables: [
        {
          columns: [
            { name: "id", type: "text", samples: ["a"] },
            { name: "n", samples: [1] },
          ],
        },
      ],
    });
    expect(source("sales")?.writable).toBeUndefined();
  });

  it("withdraws sources that are no longer configured, but none of another machine", async () => {
    await expect.poll(() => source("gone")).toBeUndefined();
    expect(source("elsewhere")).toBeDefined();
    expect(await ask("other-machine", "elsewhere", "SELECT 1")).toMatchObject({
      message: expect.stringContaining("the source elsewhere is on other"),
    });
  });

  it("has a fault until its missing file exists", async () => {
    await expect.poll(() => source("later")?.fault).toMatch(/its file is missing/);
    expect(await ask("missing", "later", "SELECT 1")).toMatchObject({ code: "invalid_source" });
    await writeFile(inFolder("later.csv"), "a\n1\n2\n");
    await expect.poll(() => rowsOf("later")).toEqual([["later", 2]]);
    expect(source("later")?.fault).toBeUndefined();
    expect(await ask("there", "later", "SELECT sum(a) AS a FROM later")).toMatchObject({
      value: { rows: [{ a: 3 }] },
    });
  });

  it("is queried in place while another program writes to it", async () => {
    using writer = openStore();
    writer.exec("INSERT INTO items VALUES ('b', 2); BEGIN IMMEDIATE; INSERT INTO items VALUES ('c', 3)");
    const count = "SELECT count(*) AS n FROM items";
    // Committed rows are visible immediately, although they are in the log beside the file; uncommitted ones are not.
    expect(await ask("uncommitted", "store", count)).toMatchObject({ value: { rows: [{ n: 2 }] } });
    writer.exec("COMMIT");
    expect(await ask("committed", "store", count)).toMatchObject({ value: { rows: [{ n: 3 }] } });
    await expect.poll(() => rowsOf("store")).toEqual([["items", 3]]);
  });

  it("is reported as busy while it is locked, and is read when the lock is released", async () => {
    const file = inFolder("locked.db");
    using writer = new DatabaseSync(file);
    writer.exec("CREATE TABLE t (x); BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)");
    await configure({ store, locked: { kind: "sqlite", path: "locked.db" } });
    await expect.poll(() => source("locked")?.fault).toMatch(/locked is busy: another program writes to it/);
    expect(await ask("locked", "locked", "SELECT 1")).toMatchObject({
      retryable: true,
      message: expect.stringContaining("is busy"),
    });
    writer.exec("COMMIT");
    await expect.poll(() => rowsOf("locked")).toEqual([["t", 1]]);
    expect(source("sales")).toBeUndefined();
  });

  it("is read-only while its rules name missing columns", async () => {
    await configure({ store: { ...store, rules: { item: { insert: false } } } });
    await expect.poll(() => source("store")?.fault).toMatch(/only read it, .* item: there is no table item/);
    expect(source("store")).not.toHaveProperty("writable");
    expect(rowsOf("store")).toEqual([["items", 3]]);
    await configure({ store });
    await expect.poll(() => [source("store")?.writable, source("store")?.fault]).toEqual([true, undefined]);
  });

  it("leaves no log behind that a replacement file would be read with", async () => {
    const before = openStore();
    before.exec("INSERT INTO items VALUES ('d', 4)");
    expect(await ask("beside", "store", "SELECT 1")).toMatchObject({ value: { rowCount: 1 } });
    before.close();
    await expect
      .poll(() =>
        stat(inFolder("store.db-wal")).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      .toBe(0);
  });

  it("is unchanged while the configuration is invalid", async () => {
    await writeFile(inFolder("sources.json"), '{"sources": {"store": {"kind": "excel"}}}');
    {
      using other = openStore(inFolder("store.db.new"));
      other.exec("INSERT INTO items VALUES ('y', 25), ('z', 26)");
    }
    await rename(inFolder("store.db.new"), inFolder("store.db"));
    await expect.poll(() => rowsOf("store")).toEqual([["items", 2]]);
    expect(source("store")?.writable).toBe(true);
    await configure({ store: { kind: "sqlite", path: "store.db" } });
    await expect.poll(() => source("store")?.writable).toBeUndefined();
  });
});

it("an executor does not start with an invalid configuration", async () => {
  const faulty = inFolder("faulty.json");
  await writeFile(faulty, '{"sources": {"store": {"kind": "sqlite", "path": "a", "writable": "yes"}}}');
  await expect(
    startExecutorBench([], undefined, { sourcesPlace: { named: faulty, folders: [] } }),
  ).rejects.toThrow(`${faulty}: sources.store.writable: wanted`);
});
