import { z } from "zod";

/** A data source on this machine. */
export const LocalSource = z.object({
  /** The table's name when the source is one CSV file. */
  name: z.string().min(1).max(200),
  kind: z.enum(["csv", "sqlite"]),
  /** A file, or for `csv` also a folder whose CSV files are the tables. */
  path: z.string().min(1),
  /** Others can write to it at any time, so a SQLite file is open only while it is read. */
  live: z.boolean().optional(),
});
export type LocalSource = z.infer<typeof LocalSource>;

export const SourceColumn = z.object({
  name: z.string(),
  /** `integer`, `real`, `text`, `date`, `datetime`, or the declared type in a SQLite file, in lower case. */
  type: z.string(),
  /** Up to five different values, or all of them. */
  samples: z.array(z.union([z.string(), z.number(), z.null()])),
  /** Whether the samples are all values that occur; only for text. */
  complete: z.literal(true).optional(),
  /** Set if every row has a different value. */
  unique: z.literal(true).optional(),
  /** Number of rows without a value; absent if zero or not counted. */
  empty: z.int().positive().optional(),
  /** Minimum and maximum of numbers and dates. */
  min: z.union([z.string(), z.number()]).optional(),
  max: z.union([z.string(), z.number()]).optional(),
  /** The CSV file's own header, if it differs from the name. */
  header: z.string().optional(),
});
export type SourceColumn = z.infer<typeof SourceColumn>;

export const SourceTable = z.object({
  name: z.string(),
  /** Null for a view: counting its rows could run arbitrary code. */
  rows: z.int().nonnegative().nullable(),
  columns: z.array(SourceColumn),
});
export type SourceTable = z.infer<typeof SourceTable>;

export const SourceDescription = z.object({ tables: z.array(SourceTable) });
export type SourceDescription = z.infer<typeof SourceDescription>;
