import { describeError } from "@planwright/shared/errors";
import { setTimeout as delay } from "node:timers/promises";
import { type ArchiverDeps, createArchiver } from "./create-archiver.ts";

const ROUND_MS = 30_000;

/** Archives and deletes what is due, now and every half minute. A round that fails is only a late one. */
export function startRetention(deps: ArchiverDeps): AsyncDisposable {
  const { log } = deps;
  const archiver = createArchiver(deps);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      try {
        await archiver.round(signal);
      } catch (error) {
        log.warn({ reason: describeError(error) }, "retention postponed");
      }
      await delay(ROUND_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
