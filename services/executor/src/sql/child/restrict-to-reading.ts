import { constants, type DatabaseSync } from "node:sqlite";

const ALLOWED: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_RECURSIVE,
]);

/** The pragmas that tell of tables and change nothing; `data_version` is what full-text tables ask. */
const READING_PRAGMAS: ReadonlySet<string> = new Set([
  "data_version",
  "foreign_key_list",
  "index_info",
  "index_list",
  // What serializing asks.
  "page_count",
  "table_info",
  "table_list",
  "table_xinfo",
]);

/** What reaches out of the database, wherever SQLite was built with it. */
const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set(["fts3_tokenizer", "load_extension"]);

/** From now on every statement but a SELECT is refused when it is prepared. */
export function restrictToReading(database: DatabaseSync): void {
  database.setAuthorizer((action, first, second) => {
    const allowed =
      ALLOWED.has(action) ||
      (action === constants.SQLITE_FUNCTION && !REFUSED_FUNCTIONS.has(second ?? "")) ||
      (action === constants.SQLITE_PRAGMA && READING_PRAGMAS.has(first ?? ""));
    return allowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });
}
