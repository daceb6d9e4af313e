import { setTimeout as delay } from "node:timers/promises";
import { JetStreamApiCodes, JetStreamApiError, JsHeaders, PubHeaders } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { headers as createHeaders, type MsgHdrs } from "@nats-io/transport-node";
import { describeError, TransientError } from "../errors.ts";
import type { Bus } from "./connect-bus.ts";
import { readLastOfEach } from "./read-current.ts";
import { readFromLeader } from "./read-from-leader.ts";
import { bucketStream } from "./streams/topology.ts";

/** How long the removal of an entry remains visible. */
const REMOVED_TTL = "10s";
const KEYS_MAX = 1_000;
/** A replica that lags behind has usually caught up after a few milliseconds. */
const BEHIND_MS = 10;
const BEHIND_READS = 20;
const ANSWER_WITHIN_MS = 1_000;
const LISTED_WITHIN_MS = 60_000;
/** Between two entries of a list: a consumer whose server died sends nothing, and the library keeps waiting for it. */
const LIST_SILENCE_MS = 3_000;
const OPERATION = "KV-Operation";
const MARKER_REASON = "Nats-Marker-Reason";

export type BucketEntry = {
  readonly key: string;
  /** The revision that the next write of the key can expect. */
  readonly revision: number;
  /** Absent when the entry was removed or has expired. */
  readonly value?: string;
  /** Set when the entry was removed; otherwise, a missing value has expired. */
  readonly removed?: true;
};

export type WriteOptions = {
  /** Writes only if this is the key's revision; 0: only if the key has none. */
  readonly expect?: number;
  /** The time to live on the server, in whole seconds; at least 2. */
  readonly ttlSeconds?: number;
};

/** A write whose key matches one of the patterns to read. */
export type KnownWrite = { readonly key: string; readonly since: number };

/** A key-value bucket, for small things that change often. */
export type Bucket = {
  /**
   * Returns the last entry of each key that matches a pattern, at most 1,000 keys; briefly also entries that are gone.
   *
   * All entries are of the same moment, but any replica of a cluster can answer and may lag behind. With `known`, the moment is
   * not before that write: a replica that lacks it is asked again, and finally the leader, key by key.
   */
  latest(patterns?: readonly string[], known?: KnownWrite): Promise<BucketEntry[]>;
  /** Reads the entry from the leader. */
  get(key: string): Promise<BucketEntry | undefined>;
  /**
   * Returns all entries whose keys match one of the patterns, of the same moment as in `latest`, however many there are.
   * Needs the permission to create consumers.
   */
  list(patterns: readonly string[]): Promise<BucketEntry[]>;
  /** @returns The new revision; undefined when the expected revision was not the last. */
  write(key: string, value: string, options?: WriteOptions): Promise<number | undefined>;
  /** @returns False when the expected revision was not the last. */
  remove(key: string, options?: Pick<WriteOptions, "expect">): Promise<boolean>;
};

/**
 * Opens a bucket of `BUCKETS` that `provision` has created.
 *
 * @throws {TransientError} From every function, when the server does not answer within a second (a minute for `list`).
 */
export async function openBucket(bus: Bus, name: string): Promise<Bucket> {
  const kv = await new Kvm(bus.js).open(name, { allow_direct: true });
  const { subjectOf, latest, latestSince, get } = readsOf(bus, name);
  const ask = async <Answer>(
    what: string,
    request: () => Promise<Answer>,
    withinMs = ANSWER_WITHIN_MS,
  ): Promise<Answer> => {
    try {
      return await within(withinMs, request());
    } catch (error) {
      if (isConflict(error)) throw error;
      throw new TransientError(`cannot ${what} ${name}: ${describeError(error)}`, { cause: error });
    }
  };
  const publish = async (key: string, value: string, headers: MsgHdrs): Promise<number | undefined> => {
    try {
      const options = { headers, timeout: ANSWER_WITHIN_MS, retries: 1 };
      const ack = await ask("write to", () => bus.js.publish(subjectOf(key), value, options));
      return ack.seq;
    } catch (error) {
      if (isConflict(error)) return undefined;
      throw error;
    }
  };

  return {
    latest: (patterns = [">"], known) =>
      ask("read", () => (known === undefined ? latest(patterns, KEYS_MAX) : latestSince(patterns, known))),
    get: (key) => ask("read", () => get(key)),
    list: (patterns) => {
      const isEmpty = async (): Promise<boolean> => (await latest(patterns, 1)).length === 0;
      return ask("list", () => list(kv, patterns, isEmpty), LISTED_WITHIN_MS);
    },
    write: (key, value, { expect, ttlSeconds } = {}) => {
      const headers = replacing(expect);
      if (ttlSeconds !== undefined) headers.set(PubHeaders.MessageTTL, `${ttlSeconds}s`);
      return publish(key, value, headers);
    },
    async remove(key, { expect } = {}) {
      const headers = replacing(expect);
      headers.set(OPERATION, "PURGE");
      headers.set(PubHeaders.MessageTTL, REMOVED_TTL);
      return (await publish(key, "", headers)) !== undefined;
    },
  };
}

/** The two ways to read a bucket: all keys at one moment from any replica, or each key from its leader. */
function readsOf(bus: Bus, name: string) {
  const subjectOf = (key: string): string => `$KV.${name}.${key}`;
  const latest = async (patterns: readonly string[], atMost: number): Promise<BucketEntry[]> => {
    const stored: (StoredEntry & Aging)[] = [];
    const options = { multi_last: patterns.map((pattern) => subjectOf(pattern)), batch: atMost };
    const messages = await bus.manager.direct.getLastMessagesFor(bucketStream(name), options);
    for await (const { subject, seq: revision, header: headers, data, time } of messages) {
      const key = subject.slice(`$KV.${name}.`.length);
      stored.push({ key, revision, headers, data, atMs: time.getTime() });
    }
    return withoutOutlived(stored).map(entryOf);
  };

  const get = async (key: string): Promise<BucketEntry | undefined> => {
    const message = await readFromLeader(bus, bucketStream(name), { last_by_subj: subjectOf(key) });
    if (message === null) return undefined;
    const { seq: revision, header: headers, data } = message;
    return entryOf({ key, revision, headers, data });
  };
  /** Reads the keys one by one, so not all of the same moment. */
  const latestOfLeader = async (patterns: readonly string[]): Promise<BucketEntry[]> => {
    const messages = await readLastOfEach(bus, bucketStream(name), patterns.map(subjectOf));
    return messages.map(({ subject, seq: revision, header: headers, data }) =>
      entryOf({ key: subject.slice(subjectOf("").length), revision, headers, data }),
    );
  };

  const latestSince = async (patterns: readonly string[], known: KnownWrite): Promise<BucketEntry[]> => {
    for (let reads = 0; reads < BEHIND_READS; reads++) {
      const entries = await latest(patterns, KEYS_MAX);
      if (entries.some((entry) => isAsNewAs(entry, known))) return entries;
      await delay(BEHIND_MS);
    }
    return latestOfLeader(patterns);
  };
  return { subjectOf, latest, latestSince, get };
}

/**
 * The library silently ends a reading when the connection is lost, and waits forever when the server that reads has died.
 *
 * @param isEmpty - Called when no entry was received.
 * @throws {TransientError} When the reading ended before the last entry.
 */
async function list(
  kv: KV,
  patterns: readonly string[],
  isEmpty: () => Promise<boolean>,
): Promise<BucketEntry[]> {
  const entries = new Map<string, BucketEntry>();
  let left: number | undefined;
  const history = await kv.history({ key: [...patterns] });
  const iterator = history[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await within(LIST_SILENCE_MS, iterator.next());
      if (next.done === true) break;
      const { key, revision, operation, value, delta } = next.value;
      left = delta ?? 0;
      // Entries written by other programs may still have their predecessor in the bucket.
      if (operation === "PUT") entries.set(key, { key, revision, value: Buffer.from(value).toString() });
      else entries.delete(key);
    }
  } finally {
    history.stop();
  }
  if (left === undefined ? !(await isEmpty()) : left > 0)
    throw new TransientError("reading ended before the last entry");
  return [...entries.values()];
}

function isAsNewAs({ key, revision }: BucketEntry, known: KnownWrite): boolean {
  return key === known.key && revision >= known.since;
}

/**
 * Returns the headers of a message that replaces the key's previous one: the server deletes that, and records the deletion.
 * A message that is removed only by the limit of messages per subject returns when the server crashes after the newer
 * message has gone (decision 0081).
 *
 * @param revision - Write only if the key's last message has this sequence; 0: only if it has none.
 */
export function replacing(revision?: number): MsgHdrs {
  const headers = createHeaders();
  headers.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
  if (revision !== undefined) headers.set(PubHeaders.ExpectedLastSubjectSequenceHdr, String(revision));
  return headers;
}

type StoredEntry = {
  readonly key: string;
  readonly revision: number;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
};

function entryOf({ key, revision, headers, data }: StoredEntry): BucketEntry {
  if (headers !== undefined && headers.get(OPERATION) !== "") return { key, revision, removed: true };
  if (headers !== undefined && headers.get(MARKER_REASON) !== "") return { key, revision };
  return { key, revision, value: Buffer.from(data).toString() };
}

async function within<Answer>(ms: number, request: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  request.catch(() => undefined); // It may fail when no caller waits for it any more.
  try {
    return await Promise.race([request, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the expected revision or sequence was not the last. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
      error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}

/** The data that determines how long an entry lives. */
export type Aging = {
  /** When it was stored, in milliseconds of Unix time, by the clock of the stream's leader. */
  readonly atMs: number;
  readonly headers: Pick<MsgHdrs, "get"> | undefined;
};

/**
 * Omits entries whose time to live had passed when the newest entry was stored.
 *
 * A nats-server (seen with 2.15) that was killed and restarts after such an entry has expired keeps it for good, although the
 * other servers of its cluster have dropped it. The newest entry represents the present, so that only the stream's clock counts.
 */
export function withoutOutlived<Entry extends Aging>(entries: readonly Entry[]): Entry[] {
  const nowMs = entries.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  return entries.filter(({ atMs, headers }) => {
    const ttl = /^(\d+)s?$/.exec(headers?.get(PubHeaders.MessageTTL) ?? "")?.[1];
    return ttl === undefined || atMs + 1_000 * Number(ttl) > nowMs;
  });
}
