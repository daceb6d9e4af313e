/** The process that holds the databases: one request, one response. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { SqlRequest } from "../sql-request.ts";
import { createDatabaseCache } from "./database-cache.ts";
import { describeTables } from "./describe-tables.ts";
import { runQuery } from "./run-query.ts";
import { PermanentError } from "@planwright/shared/errors";
import { SNAPSHOT_BYTES_MAX, type Snapshot } from "../snapshot.ts";
import { keyedTables, runningBalances } from "./keyed-tables.ts";
import type { OpenedDatabase } from "./opened-database.ts";

const databases = createDatabaseCache();

serveCalls((message) => {
  const request = SqlRequest.parse(message);
  return databases.use(request.source, (opened): unknown => {
    switch (request.do) {
      case "describe":
        return describeTables(opened, request);
      case "snapshot":
        return takeSnapshot(opened, request);
      case "query":
        return runQuery(opened, request);
      default:
        return request satisfies never;
    }
  });
});

const [READ_VERSION, WRITE_VERSION] = [18, 19];

/** The whole database, and the table metadata needed to check changes. */
function takeSnapshot(
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
  // A copy in memory cannot have a log beside it, and would not open.
  if (bytes.length > WRITE_VERSION) bytes[READ_VERSION] = bytes[WRITE_VERSION] = 1;
  return { bytes, tables: tables.map(({ hasRowId: _hasRowId, ...table }) => table), balances };
}
