import { z } from "zod";

/** A data source that lies on this machine. */
export const LocalSource = z.object({
  /** Becomes the table's name when the source is one CSV file. */
  name: z.string().min(1).max(200),
  kind: z.enum(["csv", "sqlite"]),
  /** A file, or for `csv` also a folder whose CSV files are the tables. */
  path: z.string().min(1),
  /** Others may write to it at any time: a SQLite file is then open only while it is read. */
  live: z.boolean().optional(),
});
export type LocalSource = z.infer<typeof LocalSource>;

export const SourceColumn = z.object({
  name: z.string(),
  /** `integer`, `real`, `text`, `date`, `datetime`, or what a SQLite file declares, in lower case. */
  type: z.string(),
  /** Up to five different values, or all of them. */
  samples: z.array(z.union([z.string(), z.number(), z.null()])),
  /** The samples are all values that occur; only of text. */
  complete: z.literal(true).optional(),
  /** Set if every row has a different value. */
  unique: z.literal(true).optional(),
  /** How many rows have no value; absent for none, and where they were not counted. */
  empty: z.int().positive().optional(),
  /** Of numbers and dates: the lowest and the highest. */
  min: z.union([z.string(), z.number()]).optional(),
  max: z.union([z.string(), z.number()]).optional(),
  /** The CSV file's own header, where the name differs from it. */
  header: z.string().optional(),
});
export type SourceColumn = z.infer<typeof SourceColumn>;

export const SourceTable = z.object({
  name: z.string(),
  /** Null for a view: counting could mean running anything. */
  rows: z.int().nonnegative().nullable(),
  columns: z.array(SourceColumn),
});
export type SourceTable = z.infer<typeof SourceTable>;

export const SourceDescription = z.object({ tables: z.array(SourceTable) });
export type SourceDescription = z.infer<typeof SourceDescription>;
