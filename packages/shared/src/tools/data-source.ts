/**
 * Data that plans may query: uploads, registered by the gateway and described by an executor, and files that lie on
 * the executors' machines, announced by those that have them. Read by all.
 */
import { DataRules, PlanId, SourceName } from "@planwright/plan";
import { z } from "zod";

/** Stands where a plan's id would, in the artifacts that hold the sources' files. */
export const DATA_OWNER: PlanId = PlanId.parse("data-sources");

export const ColumnDescription = z.object({
  name: z.string(),
  /** `integer`, `real`, `text`, `date`, `datetime`, or what a SQLite file declares, in lower case. */
  type: z.string(),
  /** A few of the values that occur. */
  samples: z.array(z.union([z.string(), z.number(), z.null()])),
  /** The samples are all values that occur. */
  complete: z.boolean().optional(),
  /** The CSV file's own header, where the name differs from it. */
  header: z.string().optional(),
});

export const TableDescription = z.object({
  name: z.string(),
  /** Null for a view: counting could mean running anything. */
  rows: z.int().nonnegative().nullable(),
  columns: z.array(ColumnDescription),
});
export type TableDescription = z.infer<typeof TableDescription>;

export const DataSource = z.object({
  name: SourceName,
  kind: z.enum(["csv", "sqlite"]),
  /** One SQLite file, or one CSV file per table; none of what lies on the executors' machines. */
  files: z
    .array(
      z.object({
        /** As it was called where it came from: `sales.csv`. */
        fileName: z.string(),
        /** Its artifact of {@link DATA_OWNER}. */
        artifact: z.string(),
        bytes: z.int().nonnegative(),
        sha256: z.string(),
      }),
    )
    .default([]),
  /** Where it lies on the machine of the executor that announced it; absent of what was uploaded. */
  local: z
    .object({
      path: z.string(),
      /** The machine's name. */
      host: z.string(),
      /** The file of the configuration that says so. */
      config: z.string(),
    })
    .optional(),
  /** Whether plans may change it; they only read it when absent. */
  writable: z.boolean().optional(),
  /** What must hold for whatever changes it, by table. */
  rules: DataRules.optional(),
  /** Absent until an executor has looked into it. */
  tables: z.array(TableDescription).optional(),
  /** Why it cannot be read, when an executor found that out. */
  fault: z.string().optional(),
});
export type DataSource = z.infer<typeof DataSource>;
