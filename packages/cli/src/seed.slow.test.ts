// The demo store. Where a separate connection matters, the command runs in its own process, which takes half a second; elsewhere
// it runs in this one.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readSources } from "@planwright/shared/tools";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli, runCliProcess } from "./testing/run-cli.ts";

const CWD = process.cwd();
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "planwright-seed-")));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(CWD);
  rmSync(folder, { recursive: true });
});

const at = (name: string): string => path.join(folder, name);
const seed = (...args: string[]) => runCli(["seed", ...args]);
const seedInProcess = (...args: string[]) => runCliProcess(["seed", ...args], { cwd: folder });
const sourcesOf = (name: string) => readSources({ file: at(name), text: readFileSync(at(name), "utf8") });

function rows(sql: string): unknown[] {
  using database = new DatabaseSync(at(".planwright/store.db"));
  return database.prepare(sql).all();
}

it("creates the store and its entry once, and leaves existing ones unchanged", async () => {
  expect(await seedInProcess()).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("created .planwright/store.db"),
  });
  const [source] = sourcesOf(".planwright/sources.json");
  expect(source).toMatchObject({
    name: "store",
    path: at(".planwright/store.db"),
    writable: true,
    rules: { inventory: { min: { quantity_in_stock: 0 } } },
  });
  expect(rows("SELECT quantity_in_stock AS n, price FROM inventory WHERE name = 'Aviator'")).toEqual([
    { n: 23, price: 80 },
  ]);
  expect(rows("SELECT balance_after_transaction AS balance FROM transactions")).toEqual([{ balance: 500 }]);
  const again = await seed("--json");
  expect([again.code, JSON.parse(again.out)]).toMatchObject([
    0,
    { database: "unchanged", registered: false },
  ]);
});

it("recreates a store that has changed only with --force, while a reader has it open", async () => {
  await seedInProcess();
  rows("UPDATE inventory SET quantity_in_stock = 1 WHERE name = 'Classic' RETURNING 1");
  rows("CREATE TABLE planwright_effects (key TEXT PRIMARY KEY) STRICT");
  rows("INSERT INTO planwright_effects VALUES ('k') RETURNING 1");
  const refused = await seedInProcess();
  expect([refused.code, refused.err]).toEqual([5, expect.stringMatching(/has changed .*--force/)]);
  expect(rows("SELECT min(quantity_in_stock) AS n FROM inventory")).toEqual([{ n: 1 }]);
  using reader = new DatabaseSync(at(".planwright/store.db"), { readOnly: true });
  const stock = reader.prepare("SELECT quantity_in_stock AS n FROM inventory WHERE name = 'Classic'");
  expect(stock.all()).toEqual([{ n: 1 }]);
  expect(await seedInProcess("--force")).toMatchObject({
    code: 0,
    out: expect.stringContaining("recreated"),
  });
  expect(stock.all()).toEqual([{ n: 10 }]);
  // Applied effects stay recorded, or a late repetition would be applied to the new store.
  expect(rows("SELECT key FROM planwright_effects")).toEqual([{ key: "k" }]);
});

it("replaces a file that is not a database only with --force", async () => {
  await seed();
  writeFileSync(at(".planwright/store.db"), "junk ".repeat(1_000));
  expect(await seed()).toMatchObject({ code: 5, err: expect.stringContaining("is not a SQLite database") });
  expect(await seed("--force")).toMatchObject({ code: 0 });
  expect(rows("SELECT count(*) AS n FROM inventory")).toEqual([{ n: 6 }]);
});

it("adds its entry to an existing file, and respects an existing entry", async () => {
  const other = { kind: "csv", path: "sales" };
  writeFileSync(at("sources.json"), JSON.stringify({ $schema: "./s.json", sources: { sales: other } }));
  expect(await seed()).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(at("sources.json"), "utf8"))).toMatchObject({
    $schema: "./s.json",
    sources: { sales: other, store: { path: ".planwright/store.db" } },
  });
  writeFileSync(
    at("sources.json"),
    JSON.stringify({ sources: { store: { kind: "sqlite", path: "mine.db" } } }),
  );
  expect(await seed()).toMatchObject({ code: 0, out: expect.stringContaining("created mine.db") });
  expect(sourcesOf("sources.json")).toMatchObject([{ path: at("mine.db"), writable: false }]);
});

it("changes nothing when the configuration is invalid or has another source of that name", async () => {
  writeFileSync(at("sources.json"), '{"sources": {"store": {"kind": "csv", "path": "x"}}}');
  expect(await seed()).toMatchObject({
    code: 5,
    err: expect.stringContaining("already has a csv source named store"),
  });
  writeFileSync(at("sources.json"), '{"sources": {"store": {"kind": "oracle", "path": "x"}}}');
  expect(await seed()).toMatchObject({ code: 1, err: expect.stringContaining("sources.store.kind: wanted") });
});
