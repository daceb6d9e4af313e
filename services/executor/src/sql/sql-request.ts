import { z } from "zod";
import { SqlParams } from "./query-result.ts";
import { LocalSource } from "./source-tables.ts";

/** A request to the child. */
export const SqlRequest = z.discriminatedUnion("do", [
  z.object({ do: z.literal("query"), source: LocalSource, sql: z.string(), params: SqlParams }),
  z.object({ do: z.literal("describe"), source: LocalSource, looksIntoViews: z.boolean() }),
  z.object({
    do: z.literal("snapshot"),
    source: LocalSource,
    /** The column of each table's running balance, by table. */
    running: z.record(z.string(), z.string()),
  }),
]);
export type SqlRequest = z.infer<typeof SqlRequest>;
