/** The configured data on this machine: announced with its tables, inspected again when it changes, and opened in place. */
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "@planwright/shared/bus";
import { describeError, TransientError } from "@planwright/shared/errors";
import type { ConfigFileText, Logger } from "@planwright/shared/service";
import {
  type ConfiguredSource,
  type DataSource,
  findSourcesFile,
  readSources,
  SOURCES_FILE,
  type SourcesPlace,
  TableDescription,
} from "@planwright/shared/tools";
import type { SqlRunner } from "../sql/sql-runner.ts";
import { definedOnly, strayRules } from "@planwright/plan";
import { z } from "zod";
import { readdir, stat } from "node:fs/promises";
import { CSV_FILE } from "../sql/csv-file.ts";

const LOOK_EVERY_MS = 1_000;

export type LocalSources = AsyncDisposable & {
  /** Reflects the current configuration. */
  readonly find: (name: string) => ConfiguredSource | undefined;
  /** Reflects the current configuration. */
  readonly list: () => readonly ConfiguredSource[];
};

type Deps = { readonly registry: Registry<DataSource>; readonly sql: SqlRunner; readonly log: Logger };

/**
 * Announces the configured sources, and watches their files and the configuration until disposed.
 *
 * @throws {PermanentError} `invalid_sources` when the configuration is invalid; if it becomes invalid later, that is logged and
 * the previous configuration stays in effect.
 */
export async function watchLocalSources(
  place: SourcesPlace,
  { registry, sql, log }: Deps,
): Promise<LocalSources> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const describer = createLocalDescriber({ registry, sql, signal, log });
  const own = new Set(configsOf(place).map((file) => path.resolve(file)));
  let found = await findSourcesFile(place);
  let sources = byName(found);
  await announce(sources, { own, config: found?.file, registry, describer, log });

  const readAgain = async (): Promise<void> => {
    const now = await findSourcesFile(place);
    if (now?.file === found?.file && now?.text === found?.text) return;
    found = now;
    sources = byName(now);
    await announce(sources, { own, config: now?.file, registry, describer, log });
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      await readAgain().catch((error: unknown) => {
        signal.throwIfAborted();
        log.error({ reason: describeError(error) }, "configured data sources not reloaded");
      });
      for (const source of sources.values()) {
        await describer.look(source, configOf(found)).catch((error: unknown) => {
          signal.throwIfAborted();
          log.error({ source: source.name, err: error }, "could not announce data source");
        });
      }
      await delay(LOOK_EVERY_MS, undefined, { signal, ref: false });
    }
  };
  const following = follow().catch((error: unknown) => {
    if (!signal.aborted) log.error({ err: error }, "stopped watching the configuration of data sources");
  });
  return {
    find(name) {
      const source = sources.get(name);
      return source && describer.hasStrayRules(name) ? { ...source, writable: false } : source;
    },
    list: () => [...sources.values()],
    async [Symbol.asyncDispose]() {
      stopping.abort(new DOMException("the executor stops", "AbortError"));
      await following;
    },
  };
}

/** The files that could configure this executor's sources. */
function configsOf({ named, folders }: SourcesPlace): string[] {
  return named === undefined ? folders.map((folder) => path.join(folder, SOURCES_FILE)) : [named];
}

function configOf(found: ConfigFileText | undefined): string {
  return found === undefined ? "" : path.resolve(found.file);
}

function byName(found: ConfigFileText | undefined): ReadonlyMap<string, ConfiguredSource> {
  const sources = found === undefined ? [] : readSources(found);
  return new Map(sources.map((source) => [source.name, source]));
}

/** Stores new names immediately, and withdraws those that are no longer configured. */
async function announce(
  sources: ReadonlyMap<string, ConfiguredSource>,
  {
    own,
    config,
    registry,
    describer,
    log,
  }: Pick<Deps, "registry" | "log"> & {
    own: ReadonlySet<string>;
    config: string | undefined;
    describer: LocalDescriber;
  },
): Promise<void> {
  for (const source of sources.values()) await describer.announce(source, path.resolve(config ?? ""));
  const gone = [...registry.entries().values()].filter(
    ({ name, local }) => local?.host === os.hostname() && own.has(local.config) && !sources.has(name),
  );
  for (const { name } of gone) {
    await registry.remove(name);
    log.info({ source: name }, "data source withdrawn");
  }
}

/** A slow inspection is not repeated before this multiple of its duration has passed. */
const REST_FACTOR = 3;

type LocalDescriber = {
  /** Writes the source to the registry, keeping an existing description. */
  announce(source: ConfiguredSource, config: string): Promise<void>;
  /** Inspects the source if its files have changed, and stores what is different. */
  look(source: ConfiguredSource, config: string): Promise<void>;
  /** Whether its rules name something that does not exist, as far as known; such rules would have no effect. */
  hasStrayRules(name: string): boolean;
};

type Description = {
  readonly found: Pick<DataSource, "tables" | "fault">;
  /** Whether another inspection may find more although the files are unchanged: a lock is such a fault. */
  readonly mayPass: boolean;
};

type Seen = { readonly state: string | undefined; readonly restUntilMs: number };

/** Inspects files that others can change at any time. */
function createLocalDescriber({
  registry,
  sql,
  signal,
  log,
}: {
  readonly registry: Registry<DataSource>;
  readonly sql: SqlRunner;
  readonly signal: AbortSignal;
  readonly log: Logger;
}): LocalDescriber {
  const seen = new Map<string, Seen>();
  const stray = new Set<string>();
  const put = async (entry: DataSource): Promise<void> => {
    const before = registry.entries().get(entry.name);
    if (JSON.stringify(before) === JSON.stringify(entry)) return;
    await registry.put(entry.name, entry);
    const about = { source: entry.name, path: entry.local?.path };
    if (before?.local === undefined && hidesUploads(entry)) {
      log.warn(about, "a data source of the configuration hides uploads of the same name");
    }
    if (entry.fault !== undefined && entry.fault !== before?.fault) {
      log.warn({ ...about, reason: entry.fault }, "cannot read data source");
    }
  };
  const hidesUploads = ({ name }: DataSource): boolean =>
    [...registry.entries().values()].some((source) => source.name === name && source.local === undefined);
  const describe = async (source: ConfiguredSource): Promise<Description> => {
    try {
      const { tables } = await sql.describe({ ...source, live: true }, { signal });
      return { found: { tables: z.array(TableDescription).parse(tables) }, mayPass: false };
    } catch (error) {
      signal.throwIfAborted();
      const { tables } = registry.entries().get(source.name) ?? {};
      const mayPass = error instanceof TransientError;
      // Another process is writing: the last known description is better than none.
      const found = mayPass && tables !== undefined ? { tables } : { fault: describeError(error) };
      return { found, mayPass };
    }
  };
  return {
    async announce(source, config) {
      const before = registry.entries().get(source.name);
      const entry = entryOf(source, config);
      const { tables, fault } = before?.local?.path === source.path ? before : {};
      seen.delete(source.name);
      await put({ ...entry, ...definedOnly<Pick<DataSource, "tables" | "fault">>({ tables, fault }) });
    },
    async look(source, config) {
      const startedMs = performance.now();
      const state = await stateOfFiles(source);
      const last = seen.get(source.name);
      if ((last !== undefined && last.state === state) || startedMs < (last?.restUntilMs ?? 0)) return;
      const { found, mayPass } = await describe(source);
      const entry = { ...entryOf(source, config), ...found };
      const faults = strayRules(entry.rules ?? {}, entry.tables ?? []);
      const isStray = entry.tables !== undefined && faults.length > 0;
      if (isStray) stray.add(source.name);
      else stray.delete(source.name);
      await put(isStray ? onlyRead(entry, faults) : entry);
      const endedMs = performance.now();
      seen.set(source.name, {
        state: mayPass ? undefined : state,
        restUntilMs: mayPass ? endedMs : endedMs + (endedMs - startedMs) * REST_FACTOR,
      });
    },
    hasStrayRules: (name) => stray.has(name),
  };
}

function entryOf({ name, kind, path, writable, rules }: ConfiguredSource, config: string): DataSource {
  const local = { path, host: os.hostname(), config };
  const change = { ...(writable ? { writable } : {}), ...(rules === undefined ? {} : { rules }) };
  return { name, tenant: null, kind, files: [], local, ...change };
}

function onlyRead({ writable: _writable, ...entry }: DataSource, faults: readonly string[]): DataSource {
  return {
    ...entry,
    fault: `plans may only read it, because its rules do not match it: ${faults.join("; ")}`,
  };
}

/**
 * Changes when the files of a source have changed, without opening them; empty while there are none.
 *
 * Changes that others committed to a SQLite file may still be in the log beside it.
 */
async function stateOfFiles({ kind, path: place }: ConfiguredSource): Promise<string> {
  const files = kind === "sqlite" ? [place, `${place}-wal`] : await csvFilesOf(place);
  const states = await Promise.all(files.map(stateOf));
  return states.filter((state) => state !== "").join("\n");
}

async function csvFilesOf(place: string): Promise<string[]> {
  const names = await readdir(place).catch(() => undefined);
  if (names === undefined) return [place];
  return names
    .filter((name) => CSV_FILE.test(name))
    .sort()
    .map((name) => path.join(place, name));
}

async function stateOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => undefined);
  // Readers create and remove an empty log.
  if (stats === undefined || (stats.size === 0 && file.endsWith("-wal"))) return "";
  return `${file} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
