import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { QueryResult, SqlParams } from "./query-result.ts";
import type { SqlRunner } from "./sql-runner.ts";
import { defineTool, type OpenSource, type SourceCatalog, type Tool } from "../tools/define-tool.ts";

const SQL_CHARS_MAX = 20_000;

/** Runs one SELECT on a data source; a CSV file is a table. */
export function sqlQuery({ sql }: { readonly sql: SqlRunner }): Tool {
  return defineTool({
    name: "sql.query",
    description:
      "Get exact figures from a data source with one read-only SELECT (SQLite dialect). Filter, join, count, sum, group, sort and compare in SQL, never by reading rows. Dates are ISO text: use substr() or strftime(). " +
      "Output: {columns, rows: [{column: value}], rowCount, truncated}, max 1,000 rows.",
    input: z.strictObject({
      source: z.string().min(1).max(200).describe("Name of the data source."),
      sql: z.string().trim().min(1).max(SQL_CHARS_MAX).describe("One SELECT."),
      params: SqlParams.describe("Values for the placeholders ? or :name.").optional(),
    }),
    output: QueryResult,
    risk: "low",
    effect: "read",
    reusableMs: 0,
    timeoutMs: 60_000,
    run: async ({ source, sql: text, params }, { sources, signal, owner }) => {
      const opened = await openSource(sources, source, signal);
      return sql.query(
        { source: opened, sql: text, ...(params === undefined ? {} : { params }) },
        { signal, owner },
      );
    },
  });
}

/** @throws {PermanentError} `unknown_source`, listing the existing names. */
export async function openSource(
  sources: SourceCatalog,
  name: string,
  signal: AbortSignal,
): Promise<OpenSource> {
  const opened = await sources.open(name, { signal });
  if (opened !== undefined) return opened;
  const names = (await sources.list()).map((source) => source.name);
  const known = names.length === 0 ? "there are none" : `there are: ${names.join(", ")}`;
  throw new PermanentError(`there is no data source ${JSON.stringify(name)}; ${known}`, {
    code: "unknown_source",
  });
}
