/** Creates the demo store and registers it as a data source. */
import { existsSync, rmSync, statSync } from "node:fs";
import { mkdir, rename, writeFile, readFile } from "node:fs/promises";
import path from "node:path";
import { findSourcesFile, readSources, SOURCES_FILE } from "@planwright/shared/tools";
import { z } from "zod";
import { CliError, EXIT } from "../exit-codes.ts";
import { DatabaseSync } from "node:sqlite";
import { describeError } from "@planwright/shared/errors";

/** Only the part of the file that changes; the rest is kept as written. */
const Sources = z.looseObject({ sources: z.record(z.string(), z.unknown()).default({}) });

const NAME = "store";
const DATABASE = "store.db";

type SeededStore = {
  readonly source: string;
  /** The absolute path of the database. */
  readonly path: string;
  readonly database: StoreState;
  /** The file that registers it. */
  readonly config: string;
  /** Whether this call registered it. */
  readonly registered: boolean;
};

/**
 * Creates the store's database and its entry in `sources.json` if they are missing. An existing entry is kept and decides
 * where the database is.
 *
 * @param folder - The folder for a new `sources.json` and the database.
 * @param named - The sources file that the environment names, if any.
 * @throws {CliError} `refused` when the store has changed and `force` is not set, or another source has its name.
 */
export async function seedStore({
  folder,
  named,
  force,
}: {
  readonly folder: string;
  readonly named: string | undefined;
  readonly force: boolean;
}): Promise<SeededStore> {
  // The same lookup as in executors: they must read the file that gets the entry.
  const isThere = named === undefined || existsSync(named);
  const file = isThere ? await findSourcesFile({ named, folders: [folder, "."] }) : undefined;
  const config = file?.file ?? named ?? path.join(folder, SOURCES_FILE);
  const known = file === undefined ? undefined : readSources(file).find(({ name }) => name === NAME);
  if (known !== undefined && known.kind !== "sqlite") {
    throw new CliError(
      EXIT.refused,
      `${config} already has a ${known.kind} source named ${NAME}: rename or remove it first`,
    );
  }
  const database = known?.path ?? path.resolve(folder, DATABASE);
  await mkdir(path.dirname(database), { recursive: true });
  const state = await writeStore(database, { force });
  if (known === undefined) await registerStore(config, { text: file?.text, name: NAME, database });
  return { source: NAME, path: database, database: state, config, registered: known === undefined };
}

/**
 * Writes the store's entry into a file of data sources.
 *
 * @param text - The file's current, valid content; undefined to create the file.
 */
async function registerStore(
  config: string,
  { text, name, database }: { text: string | undefined; name: string; database: string },
): Promise<void> {
  const folder = path.dirname(path.resolve(config));
  const before = Sources.parse(text === undefined ? {} : JSON.parse(text));
  const entry = { ...(await storeEntry()), path: path.relative(folder, database) };
  const after = { ...before, sources: { ...before.sources, [name]: entry } };
  await mkdir(folder, { recursive: true });
  // Executors can read the file at any moment and must never see half of it.
  const partial = `${config}.${process.pid}.partial`;
  await writeFile(partial, `${JSON.stringify(after, undefined, 2)}\n`);
  await rename(partial, config);
}

const BUSY_MS = 5_000;
/** A larger file cannot be a new store and is not read. */
const BYTES_MAX = 16 * 1024 * 1024;
/** Planwright's own tables, which record applied effects and are kept. */
const OWN_TABLE = /^_?planwright_/i;

const SchemaRow = z.object({ type: z.string(), name: z.string(), sql: z.string().nullable() });
type SchemaRow = z.infer<typeof SchemaRow>;

type StoreState = "created" | "renewed" | "unchanged";

/**
 * Writes the store's tables in one transaction: concurrent readers see either the old or the new ones.
 *
 * @throws {CliError} `refused` when the file is anything but a new store and `force` is not set; `failed` when it cannot
 *   be written.
 */
async function writeStore(file: string, { force }: { readonly force: boolean }): Promise<StoreState> {
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

const FOLDER = new URL("../../../../examples/sunglasses-store/", import.meta.url);

const StoreSources = z.object({ sources: z.object({ store: z.looseObject({ path: z.string() }) }) });

/** Returns the SQL that creates and fills its tables. */
async function storeSql(): Promise<string> {
  return readFile(new URL("seed.sql", FOLDER), "utf8");
}

/** Returns its entry for a sources file. */
async function storeEntry(): Promise<z.output<typeof StoreSources>["sources"]["store"]> {
  const text = await readFile(new URL("sources.json", FOLDER), "utf8");
  return StoreSources.parse(JSON.parse(text)).sources.store;
}
