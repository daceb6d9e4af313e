/** The process that holds the databases: one request, one answer. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { SqlRequest } from "../sql-request.ts";
import { createDatabaseCache } from "./database-cache.ts";
import { describeTables } from "./describe-tables.ts";
import { runQuery } from "./run-query.ts";
import { takeSnapshot } from "./take-snapshot.ts";

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
