const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_IO_ERROR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

/** SQLite's primary result code of an error; 0 for other errors. */
export function sqliteCode(error: unknown): number {
  const code: unknown = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : 0;
}

/** Whether another connection held a lock for longer than we wait. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** Whether the file is damaged, unreadable or not a database. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE || code === SQLITE_IO_ERROR;
}
