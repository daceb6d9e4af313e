/**
 * The data that lies on this machine, by the names of the configuration: announced with its tables, looked into again
 * when it changes, and opened where it is.
 */
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { ConfigFileText, Logger } from "@planwright/shared/service";
import {
  type ConfiguredSource,
  type DataSource,
  findSourcesFile,
  readSources,
  SOURCES_FILE,
  type SourcesPlace,
} from "@planwright/shared/tools";
import type { SqlRunner } from "../sql/sql-runner.ts";
import { createLocalDescriber, type LocalDescriber } from "./describe-local.ts";

const LOOK_EVERY_MS = 1_000;

export type LocalSources = AsyncDisposable & {
  /** As of now. */
  readonly find: (name: string) => ConfiguredSource | undefined;
  /** As of now. */
  readonly list: () => readonly ConfiguredSource[];
};

type Deps = { readonly registry: Registry<DataSource>; readonly sql: SqlRunner; readonly log: Logger };

/**
 * Announces the sources of the configuration, and follows their files and the configuration itself until disposed.
 *
 * @throws {PermanentError} `invalid_sources` when the configuration has faults; one that gets faults later is logged,
 *   and what it said before stays.
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

/** The files that this executor could have its sources from. */
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

/** Stores the names immediately, as far as they are new, and takes back those that the configuration has lost. */
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
