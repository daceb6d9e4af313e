/** The configuration file for the data sources on this machine: SQLite files and CSV files. */
import { DataRules, SourceName } from "@planwright/plan";
import path from "node:path";
import { z } from "zod";
import { type ConfigFileText, findConfigFile, parseConfigFile } from "../service/config-file.ts";

export const SOURCES_FILE = "sources.json";
const SOURCES_MAX = 100;
const CODE = "invalid_sources";
const KEYS = "a name of a letter, then letters, digits, _ or -, at most 64";

const Source = z
  .strictObject({
    /** `csv` is one file, or a folder whose `.csv` and `.tsv` files are the tables. */
    kind: z.enum(["sqlite", "csv"]),
    /** Relative to this file's folder. */
    path: z.string().trim().min(1).max(4_096),
    /** Whether plans can change it, with a user's approval for each change; read-only when absent. */
    writable: z.boolean().default(false),
    /** Conditions for all changes, by table. */
    rules: DataRules.optional(),
  })
  .refine(({ kind, writable }) => kind === "sqlite" || !writable, {
    path: ["writable"],
    message: "wanted false: CSV files are only read",
  })
  // Rules without an effect would be an unnoticed mistake.
  .refine(({ writable, rules }) => writable || rules === undefined, {
    path: ["rules"],
    message: "wanted none: the source is not writable",
  });

/** Strict, because users write it. */
export const SourcesFile = z.strictObject({
  $schema: z.string().optional(),
  sources: z
    .record(SourceName, Source)
    .refine((all) => Object.keys(all).length <= SOURCES_MAX, `wanted at most ${SOURCES_MAX} sources`),
});

/** A data source of the configuration, with its path made absolute. */
export type ConfiguredSource = {
  readonly name: string;
  readonly kind: "sqlite" | "csv";
  readonly path: string;
  readonly writable: boolean;
  readonly rules?: DataRules;
};

/** Where to look for the file: at `named`, else `sources.json` in the first of the folders that has it. */
export type SourcesPlace = { readonly named: string | undefined; readonly folders: readonly string[] };

/**
 * Finds and reads the file.
 *
 * @returns Undefined when none is named and none exists.
 * @throws {PermanentError} `invalid_sources`, with the file, the position in it, and the expected and actual value.
 */
export async function findSourcesFile({ named, folders }: SourcesPlace): Promise<ConfigFileText | undefined> {
  return findConfigFile({ named, folders, fileName: SOURCES_FILE, code: CODE });
}

/** @throws {PermanentError} `invalid_sources`, with every fault. */
export function readSources({ file, text }: ConfigFileText): readonly ConfiguredSource[] {
  const { sources } = parseConfigFile(SourcesFile, { file, text, code: CODE, keys: KEYS });
  const folder = path.dirname(path.resolve(file));
  return Object.entries(sources).map(([name, { kind, path: place, writable, rules }]) => ({
    name,
    kind,
    path: path.resolve(folder, place),
    writable,
    ...(rules === undefined ? {} : { rules }),
  }));
}
