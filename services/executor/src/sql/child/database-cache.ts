/** Keeps the most recently used databases open, and reopens one when its files have changed. */
import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, constants } from "node:sqlite";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { CSV_FILE } from "../csv-file.ts";
import type { LocalSource } from "../source-tables.ts";
import { loadCsvFiles } from "./load-csv-files.ts";
import type { OpenedDatabase } from "./opened-database.ts";
import { isBusy } from "./sqlite-code.ts";

const DATABASES_MAX = 4;
const CSV_FILES_MAX = 100;
const CSV_BYTES_MAX = 64 * 1024 * 1024;

/** Maximum size of one value: bounds what a single function call can build. */
const VALUE_BYTES_MAX = 8 * 1024 * 1024;
/** Also limits the statements that created its schema. */
const SQL_BYTES_MAX = 1024 * 1024;

export type DatabaseCache = {
  /**
   * Runs `read` on the source's database.
   *
   * A live SQLite file is closed again immediately: while a reader has it open, a writer cannot remove the log beside it, and if
   * the file was then replaced, the new file would be read with the old one's log.
   *
   * @throws {PermanentError} `invalid_source` when the source is not readable as its declared kind.
   * @throws {TransientError} While another program has it locked.
   */
  readonly use: <Result>(source: LocalSource, read: (opened: OpenedDatabase) => Result) => Result;
};

export function createDatabaseCache(): DatabaseCache {
  // Insertion order is the order of use.
  const opened = new Map<string, { readonly state: string; readonly opened: OpenedDatabase }>();

  function forget(key: string): void {
    opened.get(key)?.opened.database.close();
    opened.delete(key);
  }

  function open(source: LocalSource, files: readonly SourceFile[]): OpenedDatabase {
    const state = files
      .map(({ path, stats }) => `${path} ${stats.ino} ${stats.size} ${stats.mtimeMs}`)
      .join("\n");
    const key = `${source.kind} ${source.name} ${source.path}`;
    const known = opened.get(key);
    if (known?.state === state) {
      opened.delete(key);
      opened.set(key, known);
      return known.opened;
    }
    forget(key);
    const fresh = { state, opened: openSource(source, files) };
    opened.set(key, fresh);
    const [oldest] = opened.keys();
    if (opened.size > DATABASES_MAX && oldest !== undefined) forget(oldest);
    return fresh.opened;
  }

  return {
    use(source, read) {
      const files = filesOf(source);
      if (source.kind === "csv" || source.live !== true) return read(open(source, files));
      const once = openSource(source, files);
      try {
        return read(once);
      } finally {
        once.database.close();
      }
    },
  };
}

type SourceFile = { readonly path: string; readonly stats: Stats };

function filesOf({ name, kind, path }: LocalSource): readonly SourceFile[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw invalid(`source ${name}: its file is missing`);
  if (stats.isFile()) return [{ path, stats }];
  if (!stats.isDirectory()) throw invalid(`source ${name}: wanted a file or a folder`);
  if (kind !== "csv") throw invalid(`source ${name}: wanted a SQLite file, got a folder`);
  const files = readdirSync(path)
    .filter((file) => CSV_FILE.test(file))
    .sort()
    .map((file) => ({ path: join(path, file), stats: lstatSync(join(path, file)) }))
    .filter((file) => file.stats.isFile());
  if (files.length === 0) throw invalid(`source ${name}: its folder holds no .csv or .tsv file`);
  if (files.length > CSV_FILES_MAX) {
    throw invalid(
      `source ${name}: its folder holds ${files.length} CSV files, the limit is ${CSV_FILES_MAX}`,
    );
  }
  return files;
}

function openSource(source: LocalSource, files: readonly SourceFile[]): OpenedDatabase {
  const opened = source.kind === "csv" ? openCsv(source, files) : openSqlite(source);
  restrictToReading(opened.database);
  return opened;
}

function openCsv({ name, path }: LocalSource, files: readonly SourceFile[]): OpenedDatabase {
  const bytes = files.reduce((sum, { stats }) => sum + stats.size, 0);
  if (bytes > CSV_BYTES_MAX) {
    throw invalid(`source ${name}: ${bytes} bytes of CSV, the limit is ${CSV_BYTES_MAX}`);
  }
  const database = openReady(":memory:", { readOnly: false });
  const single = files.length === 1 && files[0]?.path === path;
  const tables = files.map((file) => ({ path: file.path, title: single ? name : tableTitle(file.path) }));
  return { database, csvColumns: loadCsvFiles(database, tables) };
}

function tableTitle(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(CSV_FILE, "");
}

function openSqlite({ name, path }: LocalSource): OpenedDatabase {
  try {
    return { database: openReady(path, { readOnly: true }), csvColumns: new Map() };
  } catch (cause) {
    if (isBusy(cause))
      throw new TransientError(`source ${name} is busy: another program writes to it`, { cause });
    throw invalid(`source ${name} cannot be read as a SQLite database`, cause);
  }
}

function openReady(path: string, { readOnly }: { readonly readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly,
    readBigInts: true,
    returnArrays: true,
    timeout: 1_000,
    limits: { length: VALUE_BYTES_MAX, sqlLength: SQL_BYTES_MAX, attach: 0 },
  });
  // Sorts in memory, where the watchdog sees it; a file's own schema can call nothing unusual.
  database.exec(
    "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; SELECT count(*) FROM sqlite_schema",
  );
  return database;
}

function invalid(message: string, cause?: unknown): PermanentError {
  return new PermanentError(message, { code: "invalid_source", cause });
}

const ALLOWED: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_RECURSIVE,
]);

/** Pragmas that inspect tables and change nothing; full-text tables need `data_version`. */
const READING_PRAGMAS: ReadonlySet<string> = new Set([
  "data_version",
  "foreign_key_list",
  "index_info",
  "index_list",
  // Needed for serializing.
  "page_count",
  "table_info",
  "table_list",
  "table_xinfo",
]);

/** Functions that reach outside of the database, if SQLite was built with them. */
const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set(["fts3_tokenizer", "load_extension"]);

/** From now on, preparing any statement other than a SELECT fails. */
function restrictToReading(database: DatabaseSync): void {
  database.setAuthorizer((action, first, second) => {
    const allowed =
      ALLOWED.has(action) ||
      (action === constants.SQLITE_FUNCTION && !REFUSED_FUNCTIONS.has(second ?? "")) ||
      (action === constants.SQLITE_PRAGMA && READING_PRAGMAS.has(first ?? ""));
    return allowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });
}
