import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "@planwright/shared/bus";
import { describeError, PermanentError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { type DataSource, sourceKey, TableDescription } from "@planwright/shared/tools";
import { z } from "zod";
import type { SqlRunner } from "../sql/sql-runner.ts";
import type { SourceFiles } from "./source-files.ts";

const ATTEMPTS_MAX = 5;
const PAUSE_MS = 1_000;

/**
 * Looks into each newly uploaded source and adds its tables, columns and samples to the registry:
 * what a planner must know to write a query. Every executor does so; the last one to finish wins,
 * with the same description.
 */
export function describeSources({
  registry,
  files,
  sql,
  log,
}: {
  registry: Registry<DataSource>;
  files: SourceFiles;
  sql: SqlRunner;
  log: Logger;
}): AsyncDisposable {
  const stopping = new AbortController();
  const describe = async (source: DataSource): Promise<DataSource> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const file = await files.fetch(source);
        const description = await sql.describe(file, { signal: stopping.signal });
        return { ...source, tables: z.array(TableDescription).parse(description.tables) };
      } catch (error) {
        stopping.signal.throwIfAborted();
        const reason = describeError(error);
        log.warn({ source: source.name, attempt, reason }, "cannot read source");
        // What is written down is never tried again, so a busy machine must not end up there.
        if (error instanceof PermanentError || attempt >= ATTEMPTS_MAX) return { ...source, fault: reason };
        await delay(PAUSE_MS, undefined, { signal: stopping.signal });
      }
    }
  };

  const work = (async () => {
    while (!stopping.signal.aborted) {
      await registry.until((entries) => nextUnknown(entries) !== undefined, stopping.signal);
      const source = nextUnknown(registry.entries());
      if (source === undefined) continue;
      // It may have been replaced or deleted meanwhile, and must not come back.
      await registry.replace(sourceKey(source), { before: source, after: await describe(source) });
      const described = JSON.stringify(source);
      await registry.until((entries) => JSON.stringify(nextUnknown(entries)) !== described, stopping.signal);
    }
  })();

  work.catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, "stopped describing data sources");
  });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new DOMException("the executor stops", "AbortError"));
      await work.catch(() => undefined);
    },
  };
}

function nextUnknown(entries: ReadonlyMap<string, DataSource>): DataSource | undefined {
  return [...entries.values()].find(
    ({ local, tables, fault }) => local === undefined && tables === undefined && fault === undefined,
  );
}
