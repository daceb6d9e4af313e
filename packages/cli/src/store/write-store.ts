import { existsSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { describeError } from "@planwright/shared/errors";
import { CliError, EXIT } from "../exit-codes.ts";
import { storeSql } from "./store-example.ts";

const BUSY_MS = 5_000;
/** A larger file is no new store, and is not looked through. */
const BYTES_MAX = 16 * 1024 * 1024;
/** Tables that are ours and not the store's: what was applied stays known. */
const OWN_TABLE = /^_?planwright_/i;

const SchemaRow = z.object({ type: z.string(), name: z.string(), sql: z.string().nullable() });
type SchemaRow = z.infer<typeof SchemaRow>;

export type StoreState = "created" | "renewed" | "unchanged";

/**
 * Writes the store's tables, in one transaction, so that whoever reads meanwhile sees the old ones or the new ones.
 *
 * @throws {CliError} `refused` when the file holds anything else than a new store and `force` is not given; `failed`
 *   when it cannot be written.
 */
export async function writeStore(file: string, { force }: { readonly force: boolean }): Promise<StoreState> {
  const sql = await storeSql();
  const isThere = existsSync(file);
  const before = isThere ? contentOfFile(file) : undefined;
  if (before !== undefined && before === contentOf(inMemory(sql))) return "unchanged";
  if (isThere && !force) {
    const what = before === undefined ? "is no SQLite database" : "has changed since it was made";
    throw new CliError(EXIT.refused, `${file} ${what}: --force makes it anew, and what is in it is lost`);
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
    throw new CliError(EXIT.failed, `${file} cannot be written: ${describeError(error)}`, { cause: error });
  }
  return isThere ? "renewed" : "created";
}

function inMemory(sql: string): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  return database;
}

/** Undefined of a file that is no database, or a broken one. */
function contentOfFile(file: string): string | undefined {
  try {
    if (statSync(file).size > BYTES_MAX) return "much else";
    return contentOf(new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS }));
  } catch {
    return undefined;
  }
}

/** All that a database holds, as text: how things were declared, and every row in the order of its values. */
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

/** Without what SQLite makes itself, and what belongs to Planwright. */
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
