/** Removes fetched copies of data whose source was deleted or replaced. */
import type { Registry } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import type { DataSource } from "@planwright/shared/tools";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { copyNameOf } from "./source-files.ts";

const EVERY_MS = 60_000;
const COPY = /^[0-9a-f]{32}$/;

/**
 * Scans the folder immediately and then regularly, until disposed. An unused copy is removed when it is found for the second
 * time, so that running queries can finish.
 *
 * @param folder - As in `createSourceFiles`.
 * @param everyMs - Default 60,000.
 */
export function sweepCopies({
  registry,
  folder,
  log,
  everyMs = EVERY_MS,
}: {
  readonly registry: Registry<DataSource>;
  readonly folder: string;
  readonly log: Logger;
  readonly everyMs?: number;
}): AsyncDisposable {
  let unused: ReadonlySet<string> = new Set();
  const sweep = async (): Promise<void> => {
    const inUse = new Set([...registry.entries().values()].map(copyNameOf));
    const present = (await readdir(folder).catch(() => [])).filter((name) => COPY.test(name));
    const found = present.filter((name) => !inUse.has(name));
    for (const name of found) {
      if (unused.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
    }
    unused = new Set(found);
  };
  let sweeping = Promise.resolve();
  const sweepNext = (): void => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      log.warn({ reason: describeError(error) }, "copies of deleted data could not be removed");
    });
  };
  sweepNext();
  const timer = setInterval(sweepNext, everyMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
