import { existsSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { describeError } from "@planwright/shared/errors";
import { CliError, EXIT } from "../exit-codes.ts";
import { storeSql } from "./store-example.ts";

const BUSY_MS = 5_000;
/** A larger file cannot be a new store and is not read. */
const BYTES_MAX = 16 * 1024 * 1024;
/** Planwright's own tables, which record applied effects and are kept. */
const OWN_TABLE = /^_?planwright_/i;

const SchemaRow = z.object({ type: z.string(), name: z.string(), sql: z.string().nullable() });
type SchemaRow = z.infer<typeof SchemaRow>;

export type StoreState = "created" | "renewed" | "unchanged";

/**
 * Writes the store's tables in one transaction: concurrent readers see either the old or the new ones.
 *
 * @throws {CliError} `refused` when the file is anything but a new store and `force` is not set; `failed` when it cannot
 *   be written.
 */
export async function writeStore(file: string, { force }: { readonly force: boolean }): Promise<StoreState> {
  const sql = await storeSql();
  const isThere = existsSync(file);
  const before = isThere ? contentOfFile(file) : undefined;
  if (before !== undefined && before === contentOf(inMemory(sql))) return "unchanged";
  if (isThere && !force) {
    const what = before === undefined ? "is not a SQLite database" : "has changed since it was created";
    throw new CliError(EXIT.refused, `${file} ${what}: use --force to recreate it (its content is lost)`);
  }
  if (isThere && before === undefined)
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${end}`, { force: true });
  try {
    using database = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: false });
    database.exec("BEGIN IMMEDIATE");
    for (const { type, name } of schemaOf(database)) database.exec(`DROP ${type} IF EXISTS ${quote(name)}`);
    database.exec(sql);
    database.exec("COMMIT");
  } catch (error) {
    throw new CliError(EXIT.failed, `cannot write ${file}: ${describeError(error)}`, { cause: error });
  }
  return isThere ? "renewed" : "created";
}

function inMemory(sql: string): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  return database;
}

/** Returns undefined for a file that is not a database, or a broken one. */
function contentOfFile(file: string): string | undefined {
  try {
    if (statSync(file).size > BYTES_MAX) return "much else";
    return contentOf(new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS }));
  } catch {
    return undefined;
  }
}

/** Returns the schema and all rows of a database as text, rows sorted by their values. */
function contentOf(database: DatabaseSync): string {
  using open = database;
  const parts = schemaOf(open).map(({ type, name, sql }) => {
    if (type !== "table") return [type, name, sql];
    const rows = open.prepare(`SELECT * FROM ${quote(name)}`).all();
    return [
      type,
      name,
      sql,
      ...rows.map((row) => JSON.stringify(row, (_key, value: unknown) => plain(value))).sort(),
    ];
  });
  return JSON.stringify(parts);
}

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** Reads the schema without SQLite's and Planwright's own tables. */
function schemaOf(database: DatabaseSync): readonly SchemaRow[] {
  const rows = database
    .prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name",
    )
    .all();
  return z
    .array(SchemaRow)
    .parse(rows)
    .filter(({ name }) => !OWN_TABLE.test(name) && !name.startsWith("sqlite_"));
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
