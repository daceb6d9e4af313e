import { parseJson } from "@planwright/plan";
import type { MsgHdrs } from "@nats-io/transport-node";
import type { Logger } from "pino";
import type { z } from "zod";
import { isConflict, replacing } from "./bucket.ts";
import type { Bus } from "./connect-bus.ts";
import { readFromLeader } from "./read-from-leader.ts";
import { bucketStream } from "./streams/topology.ts";
import { describeError } from "../errors.ts";
import { askAgain } from "./ask-again.ts";
import { onReconnect } from "./presence.ts";
import { readEach } from "./read-current.ts";

const OPERATION = "KV-Operation";

/** A small shared table: each process sees every entry, and every change soon after it was made. */
export type Registry<Entry> = AsyncDisposable & {
  /** The current entries, by name. */
  entries(): ReadonlyMap<string, Entry>;
  put(name: string, entry: Entry): Promise<void>;
  /** Writes the entry only if the stored one equals `before`. @returns Whether it was written. */
  replace(name: string, change: { readonly before: Entry; readonly after: Entry }): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Calls `listener` after every change, and after every full read, until disposed. */
  onChange(listener: () => void): Disposable;
  /** Resolves when `isEnough` holds, immediately if it already does. */
  until(isEnough: (entries: ReadonlyMap<string, Entry>) => boolean, signal: AbortSignal): Promise<void>;
};

/**
 * Opens a registry in a key-value bucket and waits until its current entries are known.
 *
 * Entries that do not match `Schema` are skipped and logged: a newer version may have written them.
 */
export async function openRegistry<Schema extends z.ZodType>(
  bus: Bus,
  { bucket, Schema, log }: { bucket: string; Schema: Schema; log: Logger },
): Promise<Registry<z.output<Schema>>> {
  const entries = new Map<string, z.output<Schema>>();
  const listeners = new Set<() => void>();
  const apply = ({ key, headers, data }: Change): void => {
    const name = decodeKey(key);
    if (isGone(headers)) {
      entries.delete(name);
      return;
    }
    const parsed = Schema.safeParse(parseJson(Buffer.from(data).toString()));
    if (parsed.success) entries.set(name, parsed.data);
    else log.warn({ bucket, key: name, issues: parsed.error.issues.slice(0, 3) }, "unknown entry skipped");
  };
  const onChanges = (changes: readonly Change[], isWhole: boolean): void => {
    if (isWhole) {
      const present = new Set(changes.map(({ key }) => decodeKey(key)));
      for (const name of entries.keys()) if (!present.has(name)) entries.delete(name);
    }
    for (const change of changes) apply(change);
    for (const listener of listeners) listener();
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
      const parsed = Schema.safeParse(parseJson(Buffer.from(stored.data).toString()));
      if (!parsed.success || JSON.stringify(parsed.data) !== JSON.stringify(before)) return false;
      return await unlessConflict(write(name, JSON.stringify(after), replacing(stored.seq)));
    },
    remove: (name) => {
      const headers = replacing();
      headers.set(OPERATION, "DEL");
      return write(name, "", headers);
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async until(isEnough, signal) {
      signal.throwIfAborted();
      if (isEnough(entries)) return;
      const enough = Promise.withResolvers<void>();
      const check = (): void => void (isEnough(entries) && enough.resolve());
      const abort = (): void => enough.reject(signal.reason);
      listeners.add(check);
      signal.addEventListener("abort", abort, { once: true });
      try {
        await enough.promise;
      } finally {
        listeners.delete(check);
        signal.removeEventListener("abort", abort);
      }
    },
    [Symbol.asyncDispose]: () => following[Symbol.asyncDispose](),
  };
}

/** @returns False when another write came first. */
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

/** Names are chosen by users; keys are subject tokens. */
function encodeKey(name: string): string {
  return Buffer.from(name).toString("base64url");
}

function decodeKey(key: string): string {
  return Buffer.from(key, "base64url").toString();
}

/** All entries are read again this long after the last change: notifications of concurrent writes may arrive out of order. */
const READ_AGAIN_MS = 250;
/** The longest time until a change is known whose notification was lost. */
const READ_EVERY_MS = 30_000;
/** Messages per answer. */
const BATCH = 1_000;

/** The last known value of a key. */
export type Change = {
  readonly key: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
};

/**
 * Reports every entry of a small key-value bucket, and every change soon after it was made; resolves once all current
 * entries have been reported.
 *
 * Uses no consumer, so that users do not need the permission to create one: with that, a user can make the server
 * deliver stored messages to any subject.
 *
 * @param onChanges - `isWhole` after a full read: keys that are not among the changes are gone.
 */
export async function followBucket(
  bus: Bus,
  {
    bucket,
    onChanges,
    log,
  }: {
    readonly bucket: string;
    readonly onChanges: (changes: readonly Change[], isWhole: boolean) => void;
    readonly log: Logger;
  },
): Promise<AsyncDisposable> {
  const prefix = `$KV.${bucket}.`;
  /** Changes received during a full read, which are newer than its result. */
  let heard = new Map<string, Change>();
  const readAll = async (): Promise<void> => {
    heard = new Map();
    const changes = new Map<string, Change>();
    const entries = readEach(bus, bucketStream(bucket), { next_by_subj: `${prefix}>`, batch: BATCH });
    for await (const { subject, header: headers, data } of entries) {
      const key = subject.slice(prefix.length);
      changes.set(key, { key, headers, data });
    }
    for (const [key, change] of heard) changes.set(key, change);
    onChanges([...changes.values()], true);
  };

  let reading = Promise.resolve();
  const readSoon = (): void => {
    const read = async (): Promise<void> => {
      try {
        await readAll();
      } catch (error) {
        log.warn({ bucket, reason: describeError(error) }, "could not read bucket");
      }
    };
    reading = reading.then(read);
  };
  let again: NodeJS.Timeout | undefined;
  const subscription = bus.connection.subscribe(`${prefix}>`, {
    callback: (error, message) => {
      if (error !== null) return;
      const { subject, headers, data } = message;
      const change = { key: subject.slice(prefix.length), headers, data };
      heard.set(change.key, change);
      onChanges([change], false);
      clearTimeout(again);
      again = setTimeout(readSoon, READ_AGAIN_MS).unref();
    },
  });
  const regularly = setInterval(readSoon, READ_EVERY_MS).unref();
  const reconnects = onReconnect(bus, readSoon);
  // The subscription exists before the full read, so that no change is missed.
  await bus.connection.flush();
  await askAgain(`read the bucket ${bucket}`, readAll, { log });
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(again);
      clearInterval(regularly);
      reconnects[Symbol.dispose]();
      subscription.unsubscribe();
      await reading;
    },
  };
}
