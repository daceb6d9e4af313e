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
 * Inspects each newly uploaded source and adds its tables, columns and samples to the registry, which planners need to write
 * queries. Every executor does this; the last one to finish wins, with the same description.
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
        // A stored fault is never retried, so a temporary problem on a busy machine must not be stored.
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
      // The source may have been replaced or deleted in the meantime, and must not come back.
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
