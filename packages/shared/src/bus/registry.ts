import { Kvm, type KvEntry } from "@nats-io/kv";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Bus } from "./connect-bus.ts";

/** A small shared table: each process sees every entry, and every change soon after it was made. */
export type Registry<Entry> = AsyncDisposable & {
  /** As of now, by name. */
  entries(): ReadonlyMap<string, Entry>;
  put(name: string, entry: Entry): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when `isEnough` holds, at once if it does already. */
  until(isEnough: (entries: ReadonlyMap<string, Entry>) => boolean, signal: AbortSignal): Promise<void>;
};

/**
 * Opens the registry that is kept in a key-value bucket and waits until its present entries are known.
 *
 * Entries that do not fit `Schema` are passed over and logged: a newer version may have written them.
 */
export async function openRegistry<Schema extends z.ZodType>(
  bus: Bus,
  { bucket, Schema, log }: { bucket: string; Schema: Schema; log: Logger },
): Promise<Registry<z.output<Schema>>> {
  const kv = await new Kvm(bus.js).open(bucket);
  const entries = new Map<string, z.output<Schema>>();
  const waiting = new Set<() => void>();
  const apply = (change: KvEntry): void => {
    const name = decodeKey(change.key);
    if (change.operation !== "PUT") entries.delete(name);
    else {
      const parsed = Schema.safeParse(change.json());
      if (parsed.success) entries.set(name, parsed.data);
      else
        log.warn({ bucket, key: name, issues: parsed.error.issues.slice(0, 3) }, "unknown entry passed over");
    }
    for (const check of waiting) check();
  };

  const known = Promise.withResolvers<void>();
  const changes = await kv.watch();
  const pending = (await kv.status()).values;
  if (pending === 0) known.resolve();
  const watching = (async () => {
    for await (const change of changes) {
      apply(change);
      if (change.delta === 0) known.resolve();
    }
  })();
  await known.promise;

  return {
    entries: () => entries,
    put: async (name, entry) => void (await kv.put(encodeKey(name), JSON.stringify(entry))),
    remove: async (name) => kv.delete(encodeKey(name)),
    async until(isEnough, signal) {
      signal.throwIfAborted();
      if (isEnough(entries)) return;
      const enough = Promise.withResolvers<void>();
      const check = (): void => void (isEnough(entries) && enough.resolve());
      const abort = (): void => enough.reject(signal.reason);
      waiting.add(check);
      signal.addEventListener("abort", abort, { once: true });
      try {
        await enough.promise;
      } finally {
        waiting.delete(check);
        signal.removeEventListener("abort", abort);
      }
    },
    async [Symbol.asyncDispose]() {
      changes.stop();
      await watching;
    },
  };
}

/** Names are given by people; keys are subject tokens. */
function encodeKey(name: string): string {
  return Buffer.from(name).toString("base64url");
}

function decodeKey(key: string): string {
  return Buffer.from(key, "base64url").toString();
}
