import { PermanentError } from "@planwright/shared/errors";
import { SNAPSHOT_BYTES_MAX, type Snapshot } from "../snapshot.ts";
import { keyedTables, runningBalances } from "./keyed-tables.ts";
import type { OpenedDatabase } from "./opened-database.ts";

const [READ_VERSION, WRITE_VERSION] = [18, 19];

/** The whole database, and what has to be known of its tables to judge changes. */
export function takeSnapshot(
  { database }: OpenedDatabase,
  { running }: { readonly running: Readonly<Record<string, string>> },
): Snapshot {
  const tables = keyedTables(database);
  const balances = runningBalances(database, tables, running);
  const bytes = database.serialize();
  if (bytes.length > SNAPSHOT_BYTES_MAX) {
    const message = `the source has ${bytes.length} bytes; the limit for programs is ${SNAPSHOT_BYTES_MAX}`;
    throw new PermanentError(message, { code: "source_too_large" });
  }
  // A copy in memory can have no log beside it, and would not open.
  if (bytes.length > WRITE_VERSION) bytes[READ_VERSION] = bytes[WRITE_VERSION] = 1;
  return { bytes, tables: tables.map(({ hasRowId: _hasRowId, ...table }) => table), balances };
}
