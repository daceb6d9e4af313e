/**
 * Data that plans can query: uploads, registered by the gateway and described by an executor, and files on
 * the executors' machines, announced by those that have them. Read by all services.
 */
import { DataRules, PlanId, SourceName } from "@planwright/plan";
import { z } from "zod";

/** Replaces a plan's id in the artifacts of sources that were stored before each had its own store. */
export const DATA_OWNER: PlanId = PlanId.parse("data-sources");

export const ColumnDescription = z.object({
  name: z.string(),
  /** `integer`, `real`, `text`, `date`, `datetime`, or the declared type in a SQLite file, in lower case. */
  type: z.string(),
  /** Some of its values. */
  samples: z.array(z.union([z.string(), z.number(), z.null()])),
  /** Set if the samples are all values of the column. */
  complete: z.boolean().optional(),
  /** Set if every row has a different value. */
  unique: z.boolean().optional(),
  /** Number of rows without a value; absent for zero, and if they were not counted. */
  empty: z.int().positive().optional(),
  /** For numbers and dates: the lowest and the highest value. */
  min: z.union([z.string(), z.number()]).optional(),
  max: z.union([z.string(), z.number()]).optional(),
  /** The CSV file's own header, if the name differs from it. */
  header: z.string().optional(),
});

export const TableDescription = z.object({
  name: z.string(),
  /** Null for a view: counting its rows could run anything. */
  rows: z.int().nonnegative().nullable(),
  columns: z.array(ColumnDescription),
});
export type TableDescription = z.infer<typeof TableDescription>;

export const DataSource = z.object({
  name: SourceName,
  /**
   * The tenant that uploaded it, which alone sees it; null for the installation's own sources, which every tenant sees.
   * Absent in entries of versions without that distinction: no plan uses them until a gateway has assigned them.
   */
  tenant: z.string().nullable().optional(),
  kind: z.enum(["csv", "sqlite"]),
  /** One SQLite file, or one CSV file per table; none for sources on the executors' machines. */
  files: z
    .array(
      z.object({
        /** The original name: `sales.csv`. */
        fileName: z.string(),
        /** Its artifact in {@link DataSource.store}. */
        artifact: z.string(),
        bytes: z.int().nonnegative(),
        sha256: z.string(),
      }),
    )
    .default([]),
  /** Replaces a plan's id in the artifacts of its files; {@link DATA_OWNER} when absent. */
  store: PlanId.optional(),
  /** Where it is on the machine of the executor that announced it; absent for uploads. */
  local: z
    .object({
      path: z.string(),
      /** The machine's name. */
      host: z.string(),
      /** The configuration file that names it. */
      config: z.string(),
    })
    .optional(),
  /** Whether plans can change it; read-only when absent. */
  writable: z.boolean().optional(),
  /** Conditions for all changes, by table. */
  rules: DataRules.optional(),
  /** Absent until an executor has described it. */
  tables: z.array(TableDescription).optional(),
  /** Why it cannot be read, if an executor found that out. */
  fault: z.string().optional(),
});
export type DataSource = z.infer<typeof DataSource>;

type Owned = Pick<DataSource, "name" | "tenant">;

/** Returns the registry's key of a source. Names contain no slash, so no two sources of different owners share a key. */
export function sourceKey({ name, tenant }: Owned): string {
  return typeof tenant === "string" ? `${tenant}/${name}` : name;
}

/** Whether the operator installed it: in an executor's configuration, or in the gateway's folder. */
export function isInstalled({ tenant, local }: Pick<DataSource, "tenant" | "local">): boolean {
  return local !== undefined || tenant === null;
}

/** The sources that one tenant's plans can use: the installation's, and its own uploads with other names. */
export type TenantSources = {
  get(name: string): DataSource | undefined;
  /** The tenant's own upload, even while a source of the installation hides it. */
  upload(name: string): DataSource | undefined;
  /** Sorted by name. */
  list(): readonly DataSource[];
};

function isOwn(source: DataSource, tenant: string): boolean {
  return source.tenant === tenant;
}

/** @param entries - The registry's, by key. Read again at each call. */
export function sourcesOfTenant(entries: ReadonlyMap<string, DataSource>, tenant: string): TenantSources {
  const installed = (name: string): DataSource | undefined => {
    const source = entries.get(name);
    return source !== undefined && isInstalled(source) ? source : undefined;
  };
  const own = (name: string): DataSource | undefined => entries.get(sourceKey({ name, tenant }));
  return {
    get: (name) => installed(name) ?? own(name),
    upload: own,
    list: () =>
      [...entries.values()]
        .filter(
          (source) => isInstalled(source) || (isOwn(source, tenant) && installed(source.name) === undefined),
        )
        .toSorted((left, right) => left.name.localeCompare(right.name)),
  };
}
