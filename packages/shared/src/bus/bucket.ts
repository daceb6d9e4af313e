import { setTimeout as delay } from "node:timers/promises";
import { JetStreamApiCodes, JetStreamApiError, JsHeaders, PubHeaders } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { headers as createHeaders, type MsgHdrs } from "@nats-io/transport-node";
import { describeError, TransientError } from "../errors.ts";
import type { Bus } from "./connect-bus.ts";
import { readLastOfEach } from "./read-current.ts";
import { readFromLeader } from "./read-from-leader.ts";
import { bucketStream } from "./streams/topology.ts";

/** How long it can be seen that an entry was removed. */
const REMOVED_TTL = "10s";
const KEYS_MAX = 1_000;
/** A replica that is behind has most often caught up a few milliseconds later. */
const BEHIND_MS = 10;
const BEHIND_READS = 20;
const ANSWER_WITHIN_MS = 1_000;
const LISTED_WITHIN_MS = 60_000;
/** Between two entries of a list: a consumer whose server died says nothing any more, and the library waits for it. */
const LIST_SILENCE_MS = 3_000;
const OPERATION = "KV-Operation";
const MARKER_REASON = "Nats-Marker-Reason";

export type BucketEntry = {
  readonly key: string;
  /** What the next write of the key may expect. */
  readonly revision: number;
  /** Absent when the entry is gone. */
  readonly value?: string;
  /** It was removed; without it, a missing value has expired. */
  readonly removed?: true;
};

export type WriteOptions = {
  /** Writes only while this is the key's revision; 0: while it has none. */
  readonly expect?: number;
  /** After how long the server forgets the entry, in whole seconds; at least 2. */
  readonly ttlSeconds?: number;
};

/** A write of a key that matches one of the patterns that are read. */
export type KnownWrite = { readonly key: string; readonly since: number };

/** A key-value bucket, for small things that change often. */
export type Bucket = {
  /**
   * The last entry of each key that matches a pattern, at most 1,000 keys, also of those that are gone for a short while.
   *
   * All are of one moment, but any replica of a cluster answers, which may be behind. With `known`, the moment is not before that
   * write: a replica that does not show it yet is asked again, and finally the leader, for each key.
   */
  latest(patterns?: readonly string[], known?: KnownWrite): Promise<BucketEntry[]>;
  /** As the leader has it. */
  get(key: string): Promise<BucketEntry | undefined>;
  /** Of one moment, as `latest`. The entries whose keys match one of the patterns, however many there are. Needs the permission to create consumers. */
  list(patterns: readonly string[]): Promise<BucketEntry[]>;
  /** @returns The new revision; undefined when the expected one was not the last. */
  write(key: string, value: string, options?: WriteOptions): Promise<number | undefined>;
  /** @returns Whether it was removed: not when the expected revision was not the last. */
  remove(key: string, options?: Pick<WriteOptions, "expect">): Promise<boolean>;
};

/**
 * Opens a bucket of `BUCKETS`; `provision` has created it.
 *
 * @throws {TransientError} From every function, when the server does not answer within a second, a minute for `list`.
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

/** How a bucket is read: what any replica has of all keys at one moment, and what its leader has of each. */
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
  /** One by one, so not all of one moment. */
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
 * The library ends a reading without a word when the connection is lost, and waits when the server that reads has died.
 *
 * @param isEmpty - Asked when no entry has come.
 * @throws {TransientError} When it has ended before the last entry.
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
      // What other programs write to a bucket may have left the entry before it.
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
 * Headers of a message that takes the place of what its key had before: the server deletes that, and stores that it did.
 * What goes only because a subject may have so many messages comes back when the server crashes after the newer message
 * has gone (decision 0081).
 *
 * @param revision - Only when the key's last message has this sequence; 0: when it has none.
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

/** What says how long an entry lives. */
export type Aging = {
  /** When it was stored, in milliseconds of Unix time, by the stream's leader. */
  readonly atMs: number;
  readonly headers: Pick<MsgHdrs, "get"> | undefined;
};

/**
 * Without the entries whose time to live was over when the newest of them was stored.
 *
 * A nats-server (seen with 2.15) that was killed and comes back after such an entry has expired keeps it for good, while the
 * other servers of its cluster have dropped it. The newest entry stands for the present: no clock but the stream's is asked.
 */
export function withoutOutlived<Entry extends Aging>(entries: readonly Entry[]): Entry[] {
  const nowMs = entries.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  return entries.filter(({ atMs, headers }) => {
    const ttl = /^(\d+)s?$/.exec(headers?.get(PubHeaders.MessageTTL) ?? "")?.[1];
    return ttl === undefined || atMs + 1_000 * Number(ttl) > nowMs;
  });
}
