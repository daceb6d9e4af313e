/** The process that holds the databases: one request, one answer. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { SqlRequest } from "../sql-request.ts";
import { createDatabaseCache } from "./database-cache.ts";
import { describeTables } from "./describe-tables.ts";
import { runQuery } from "./run-query.ts";

const databases = createDatabaseCache();

serveCalls((message) => {
  const request = SqlRequest.parse(message);
  return databases.use(request.source, (opened) =>
    request.do === "describe" ? describeTables(opened, request) : runQuery(opened, request),
  );
});
