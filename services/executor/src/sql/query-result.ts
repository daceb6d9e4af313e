import { z } from "zod";

/** The type of a value in a row. Integers beyond 2^53 are text, so that no digit is lost. */
export const SqlValue = z.union([z.string(), z.number(), z.null()]);
export type SqlValue = z.infer<typeof SqlValue>;

export const QueryResult = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), SqlValue)),
  /** Length of `rows`; rows beyond the limits are not counted. */
  rowCount: z.int().nonnegative(),
  truncated: z.boolean(),
});
export type QueryResult = z.infer<typeof QueryResult>;

export const SqlParam = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const SqlParams = z.union([z.array(SqlParam).max(100), z.record(z.string(), SqlParam)]);
export type SqlParams = z.infer<typeof SqlParams>;
