/** Data sources that plans can query. */
import { DataRules, SourceName } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

/** Accepted types of uploads, by content type. */
export const UPLOAD_KINDS = {
  "text/csv": "csv",
  "application/vnd.sqlite3": "sqlite",
  "application/x-sqlite3": "sqlite",
} as const;

const DataQuery = z.object({
  name: SourceName.optional().meta({ description: "For uploads: the name of the source. Required." }),
});

export const SourceFromConfig = z.strictObject({
  name: SourceName,
  fromConfig: z.string().min(1).max(256).meta({
    description:
      "Name of the source of a file in PLANWRIGHT_UPLOADS, or of a source in the configuration of executors, which already exists and keeps its name.",
  }),
});
export type SourceFromConfig = z.output<typeof SourceFromConfig>;

const Column = z.object({
  name: z.string(),
  type: z.string().meta({
    description: "`integer`, `real`, `text`, `date`, `datetime`, or the type declared in a SQLite file.",
  }),
  samples: z.array(z.union([z.string(), z.number(), z.null()])).meta({ description: "Sample values." }),
  complete: z.boolean().optional().meta({ description: "Set if the samples contain all values that occur." }),
  unique: z.boolean().optional().meta({ description: "Set if every row has a different value." }),
  empty: z.int().positive().optional().meta({ description: "Number of rows without a value." }),
  min: z
    .union([z.string(), z.number()])
    .optional()
    .meta({ description: "The lowest number or the earliest date." }),
  max: z
    .union([z.string(), z.number()])
    .optional()
    .meta({ description: "The highest number or the latest date." }),
  header: z.string().optional().meta({ description: "Header in the CSV file, if it differs from the name." }),
});

const Table = z.object({
  name: z.string(),
  rows: z.int().nonnegative().nullable().meta({ description: "Number of rows; null for a view." }),
  columns: z.array(Column),
});

export const SourceInfo = z.object({
  name: SourceName,
  kind: z.enum(["csv", "sqlite"]),
  origin: z.enum(["upload", "configuration"]).meta({
    description:
      "`upload`: your own source, which no other tenant can see. `configuration`: a source of the installation, from PLANWRIGHT_UPLOADS or the configuration of executors, which every tenant can see.",
  }),
  writable: z.boolean().meta({ description: "Whether plans may change the source." }),
  rules: DataRules.optional().meta({ description: "Rules that every change must satisfy, by table." }),
  tables: z.array(Table).optional().meta({ description: "Absent until an executor has read the source." }),
  fault: z.string().optional().meta({ description: "Why an executor cannot read the source." }),
  files: z.array(z.object({ fileName: z.string(), bytes: z.int() })),
});
export type SourceInfo = z.output<typeof SourceInfo>;

export const DataSources = z.object({ sources: z.array(SourceInfo) });
export type DataSources = z.output<typeof DataSources>;

const EXAMPLE_SOURCE = {
  name: "sales",
  kind: "csv",
  origin: "upload",
  writable: false,
  files: [{ fileName: "sales.csv", bytes: 5_120 }],
};

export const listSources = defineEndpoint({
  id: "listSources",
  method: "GET",
  path: "/v1/data",
  tag: "data",
  summary: "List the data sources",
  description: "Returns your own uploads and the sources of the installation.",
  responses: { 200: DataSources },
  example: { response: { sources: [EXAMPLE_SOURCE] } },
});

export const addSource = defineEndpoint({
  id: "addSource",
  method: "POST",
  path: "/v1/data",
  tag: "data",
  summary: "Add a data source",
  description:
    "Takes a CSV file (`text/csv`) or a SQLite file (`application/vnd.sqlite3`) with its name in `?name=`, or JSON `{name, fromConfig}`. It replaces your own source with this name, but never a source of the installation. Status 200: nothing changed.",
  query: DataQuery,
  body: SourceFromConfig,
  bodyMedia: { mediaTypes: Object.keys(UPLOAD_KINDS), description: "The file's bytes." },
  responses: { 201: SourceInfo, 200: SourceInfo },
  problems: ["source_not_found", "source_configured", "data_limit_reached", "invalid_data"],
  example: { body: { name: "sales", fromConfig: "sales" }, response: EXAMPLE_SOURCE },
});

const SourcePath = z.object({ name: z.string().min(1).max(256) });

export const deleteSource = defineEndpoint({
  id: "deleteSource",
  method: "DELETE",
  path: "/v1/data/:name",
  tag: "data",
  summary: "Delete an uploaded data source",
  description:
    "Deletes one of your own uploads with its files. Plans that query it later fail at that step; existing results remain. For a source of the installation, the status is 409.",
  params: SourcePath,
  responses: { 204: null },
  problems: ["source_not_found", "source_configured"],
});
