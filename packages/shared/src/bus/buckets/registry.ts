import type { MsgHdrs } from "@nats-io/transport-node";
import type { Logger } from "pino";
import type { z } from "zod";
import { isConflict, replacing } from "./bucket.ts";
import type { Bus } from "../connect-bus.ts";
import { type Change, followBucket } from "./follow-bucket.ts";
import { readFromLeader } from "../read-from-leader.ts";
import { bucketStream } from "../streams/topology.ts";

const OPERATION = "KV-Operation";

/** A small shared table: each process sees every entry, and every change soon after it was made. */
export type Registry<Entry> = AsyncDisposable & {
  /** As of now, by name. */
  entries(): ReadonlyMap<string, Entry>;
  put(name: string, entry: Entry): Promise<void>;
  /** Writes the entry only while the stored one equals `before`. @returns Whether it was written. */
  replace(name: string, change: { readonly before: Entry; readonly after: Entry }): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Resolves when `isEnough` holds, immediately if it already does. */
  until(isEnough: (entries: ReadonlyMap<string, Entry>) => boolean, signal: AbortSignal): Promise<void>;
};

/**
 * Opens the registry that is kept in a key-value bucket and waits until its present entries are known.
 *
 * Entries that do not fit `Schema` are skipped and logged: a newer version may have written them.
 */
export async function openRegistry<Schema extends z.ZodType>(
  bus: Bus,
  { bucket, Schema, log }: { bucket: string; Schema: Schema; log: Logger },
): Promise<Registry<z.output<Schema>>> {
  const entries = new Map<string, z.output<Schema>>();
  const waiting = new Set<() => void>();
  const apply = ({ key, headers, data }: Change): void => {
    const name = decodeKey(key);
    if (isGone(headers)) {
      entries.delete(name);
      return;
    }
    const parsed = Schema.safeParse(parseJson(data));
    if (parsed.success) entries.set(name, parsed.data);
    else log.warn({ bucket, key: name, issues: parsed.error.issues.slice(0, 3) }, "unknown entry skipped");
  };
  const onChanges = (changes: readonly Change[], isWhole: boolean): void => {
    if (isWhole) {
      const present = new Set(changes.map(({ key }) => decodeKey(key)));
      for (const name of entries.keys()) if (!present.has(name)) entries.delete(name);
    }
    for (const change of changes) apply(change);
    for (const check of waiting) check();
  };
  const following = await followBucket(bus, { bucket, onChanges, log });

  const subjectOf = (name: string): string => `$KV.${bucket}.${encodeKey(name)}`;
  const write = async (name: string, value: string, headers = replacing()): Promise<void> => {
    await bus.js.publish(subjectOf(name), value, { headers });
  };
  return {
    entries: () => entries,
    put: (name, entry) => write(name, JSON.stringify(entry)),
    replace: async (name, { before, after }) => {
      const stored = await readFromLeader(bus, bucketStream(bucket), { last_by_subj: subjectOf(name) });
      if (stored === null || isGone(stored.header)) return false;
      const parsed = Schema.safeParse(parseJson(stored.data));
      if (!parsed.success || JSON.stringify(parsed.data) !== JSON.stringify(before)) return false;
      return await unlessConflict(write(name, JSON.stringify(after), replacing(stored.seq)));
    },
    remove: (name) => {
      const headers = replacing();
      headers.set(OPERATION, "DEL");
      return write(name, "", headers);
    },
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
    [Symbol.asyncDispose]: () => following[Symbol.asyncDispose](),
  };
}

/** @returns Whether it was written: not when another write came first. */
async function unlessConflict(written: Promise<void>): Promise<boolean> {
  try {
    await written;
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

function isGone(headers: MsgHdrs | undefined): boolean {
  return (headers?.get(OPERATION) ?? "") !== "" || (headers?.get("Nats-Marker-Reason") ?? "") !== "";
}

function parseJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString());
  } catch {
    return undefined;
  }
}

/** Names are given by people; keys are subject tokens. */
function encodeKey(name: string): string {
  return Buffer.from(name).toString("base64url");
}

function decodeKey(key: string): string {
  return Buffer.from(key, "base64url").toString();
}
