import type { Registry } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { type DataSource, sourceKey } from "@planwright/shared/tools";
import type { SourceStore, SourceFile, SourceKind } from "./source-store.ts";
import { SourceName } from "@planwright/plan";
import { ARTIFACT_BYTES_MAX } from "@planwright/shared/artifacts";
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

type RegisterFolderDeps = {
  readonly store: SourceStore;
  readonly registry: Registry<DataSource>;
  readonly log: Logger;
};

/**
 * Registers new and changed files of the sources' folder as the installation's own sources, and removes those whose files are
 * gone. Logs faulty files.
 */
export async function registerFolder(
  folder: string,
  { store, registry, log }: RegisterFolderDeps,
): Promise<void> {
  const found = await findFolderSources(folder, log);
  for (const source of found) {
    try {
      const files = await readFolderSource(source);
      const { changed } = await store.put({ ...source, tenant: null, files });
      if (changed) log.info({ source: source.name, files: files.length }, "data source registered");
    } catch (error) {
      log.warn({ source: source.name, reason: describeError(error) }, "cannot use data source");
    }
  }
  const names = new Set(found.map(({ name }) => name));
  for (const source of registry.entries().values()) {
    if (source.tenant !== null || source.local !== undefined || names.has(source.name)) continue;
    await store.remove(source);
    log.info({ source: source.name }, "data source removed: its file is gone");
  }
}

/**
 * Assigns the uploads of versions that shared them between tenants to one tenant. Run it after {@link registerFolder}, which
 * takes the installation's files. Several gateways may run it simultaneously.
 *
 * @param tenant - The new owner.
 */
export async function assignOldUploads(
  tenant: string,
  { registry, log }: Omit<RegisterFolderDeps, "store">,
): Promise<void> {
  for (const [key, source] of registry.entries()) {
    if (source.tenant !== undefined || source.local !== undefined) continue;
    const assigned = { ...source, tenant };
    const newKey = sourceKey(assigned);
    if (!registry.entries().has(newKey)) await registry.put(newKey, assigned);
    await registry.remove(key);
    log.info({ source: source.name, tenant }, "upload of an earlier version assigned to a tenant");
  }
}

const SOURCES_MAX = 200;
const TABLES_MAX = 100;
const KINDS: Readonly<Record<string, SourceKind>> = {
  ".csv": "csv",
  ".sqlite": "sqlite",
  ".sqlite3": "sqlite",
  ".db": "sqlite",
};

type FolderSource = {
  readonly name: string;
  readonly kind: SourceKind;
  /** One path for each table of a folder of CSV files. */
  readonly paths: readonly string[];
};

/**
 * Finds one source for each CSV or SQLite file and each folder of CSV files, with names that plans can use: `Q4 sales.csv`
 * becomes `Q4_sales`. A missing folder has no sources.
 */
export async function findFolderSources(folder: string, log: Logger): Promise<FolderSource[]> {
  const found = new Map<string, FolderSource>();
  for (const entry of await entriesOf(folder)) {
    const source = await sourceOf(folder, entry);
    if (source === undefined) continue;
    if (!SourceName.safeParse(source.name).success || found.has(source.name) || found.size >= SOURCES_MAX) {
      log.warn({ file: entry.name }, "data file skipped: its name is taken or invalid");
    } else found.set(source.name, source);
  }
  return [...found.values()];
}

/** @throws {Error} When a file is missing or exceeds the size limit of a source. */
export async function readFolderSource({ paths }: FolderSource): Promise<SourceFile[]> {
  return Promise.all(
    paths.map(async (file) => {
      const { size } = await stat(file);
      if (size > ARTIFACT_BYTES_MAX)
        throw new Error(`${file} has ${size} bytes; the limit is ${ARTIFACT_BYTES_MAX}`);
      return { fileName: path.basename(file), content: await readFile(file) };
    }),
  );
}

async function sourceOf(folder: string, entry: Dirent): Promise<FolderSource | undefined> {
  const place = path.join(folder, entry.name);
  if (entry.isDirectory()) {
    const tables = (await entriesOf(place)).filter((file) => file.isFile() && kindOf(file.name) === "csv");
    const paths = tables.slice(0, TABLES_MAX).map((file) => path.join(place, file.name));
    return paths.length === 0 ? undefined : { name: nameOf(entry.name), kind: "csv", paths };
  }
  const kind = kindOf(entry.name);
  if (!entry.isFile() || kind === undefined) return undefined;
  return { name: nameOf(path.parse(entry.name).name), kind, paths: [place] };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.toSorted((left, right) => left.name.localeCompare(right.name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new Error(`the folder of data files cannot be read: ${describeError(error)}`, { cause: error });
  }
}

function kindOf(fileName: string): SourceKind | undefined {
  return KINDS[path.extname(fileName).toLowerCase()];
}

function nameOf(name: string): string {
  return name.replaceAll(/[^\w-]+/g, "_").slice(0, 64);
}
