/** Data sources that plans can query. */
import { DataRules, SourceName } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

/** What an upload may be, by its content type. */
export const UPLOAD_KINDS = {
  "text/csv": "csv",
  "application/vnd.sqlite3": "sqlite",
  "application/x-sqlite3": "sqlite",
} as const;

const DataQuery = z.object({
  name: SourceName.optional().meta({ description: "Of an upload: the source's name, required." }),
});

export const SourceFromConfig = z.strictObject({
  name: SourceName,
  fromConfig: z.string().min(1).max(256).meta({
    description:
      "A file of PLANWRIGHT_UPLOADS, by its source's name, or a source of the executors' configuration, which exists already and keeps its name.",
  }),
});
export type SourceFromConfig = z.output<typeof SourceFromConfig>;

const Column = z.object({
  name: z.string(),
  type: z.string().meta({
    description: "`integer`, `real`, `text`, `date`, `datetime`, or the type that a SQLite file declares.",
  }),
  samples: z.array(z.union([z.string(), z.number(), z.null()])).meta({ description: "A few values." }),
  complete: z.boolean().optional().meta({ description: "The samples are all values that occur." }),
  unique: z.boolean().optional().meta({ description: "Every row has a value of its own." }),
  empty: z.int().positive().optional().meta({ description: "How many rows have no value." }),
  min: z
    .union([z.string(), z.number()])
    .optional()
    .meta({ description: "The lowest number or the earliest date." }),
  max: z
    .union([z.string(), z.number()])
    .optional()
    .meta({ description: "The highest number or the latest date." }),
  header: z.string().optional().meta({ description: "The CSV file's header, where the name differs." }),
});

const Table = z.object({
  name: z.string(),
  rows: z.int().nonnegative().nullable().meta({ description: "Null for a view." }),
  columns: z.array(Column),
});

export const SourceInfo = z.object({
  name: SourceName,
  kind: z.enum(["csv", "sqlite"]),
  origin: z.enum(["upload", "configuration"]).meta({
    description:
      "`upload`: your own, which no other tenant sees. `configuration`: the installation's, which every tenant sees: files of PLANWRIGHT_UPLOADS and the configuration of executors.",
  }),
  writable: z.boolean().meta({ description: "Whether plans may change it." }),
  rules: DataRules.optional().meta({ description: "What every change of it must satisfy, by table." }),
  tables: z.array(Table).optional().meta({ description: "Absent until an executor has read it." }),
  fault: z.string().optional().meta({ description: "Why an executor cannot read it." }),
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
  description: "Your own uploads and the sources of the installation.",
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
    "A CSV file (`text/csv`) or a SQLite file (`application/vnd.sqlite3`) with its name as `?name=`, or JSON `{name, fromConfig}`. It replaces your own source of this name, never one of the installation; 200 when nothing changes.",
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
    "Your own uploads only, with their files. Plans that query it afterwards fail at that step; results that plans already have stay. A source of the installation is refused with 409.",
  params: SourcePath,
  responses: { 204: null },
  problems: ["source_not_found", "source_configured"],
});
