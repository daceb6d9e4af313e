import type { DatabaseSync } from "node:sqlite";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { tablesInWords } from "./list-tables.ts";
import { isBusy, isDamage } from "./sqlite-code.ts";

const SCHEMA_CHARS_MAX = 1_500;

/** SQLite's error for a statement, as its author needs it. */
export function explainError(database: DatabaseSync, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PermanentError) return error;
  if (isBusy(error))
    return new TransientError("the database is busy: another program writes to it", { cause: error });
  if (isDamage(error)) {
    return new PermanentError("the database file is damaged", { code: "invalid_source", cause: error });
  }
  if (/not authorized|prohibited/.test(error.message))
    return invalidSql("only SELECT statements that read tables are allowed", error);
  if (/no such (column|table)|ambiguous column/.test(error.message)) {
    return invalidSql(`${error.message}. There are: ${tablesInWords(database, SCHEMA_CHARS_MAX)}`);
  }
  return invalidSql(error.message);
}

export function invalidSql(message: string, cause?: unknown): PermanentError {
  return new PermanentError(message, { code: "invalid_sql", cause });
}
