import { JetStreamApiCodes, JetStreamApiError, JsHeaders, PubHeaders } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { headers as createHeaders, type MsgHdrs } from "@nats-io/transport-node";
import { describeError, TransientError } from "../errors.ts";
import type { Bus } from "./connect-bus.ts";

/** How long it can be seen that an entry was removed. */
const REMOVED_TTL = "10s";
const ANSWER_WITHIN_MS = 1_000;
const LISTED_WITHIN_MS = 60_000;
const OPERATION = "KV-Operation";
const MARKER_REASON = "Nats-Marker-Reason";

export type BucketEntry = {
  readonly key: string;
  /** What the next write of the key may expect. */
  readonly revision: number;
  /** Absent when the entry is gone. */
  readonly value?: string;
  /** Somebody removed it; without it, a missing value has outlived its time. */
  readonly removed?: true;
};

export type WriteOptions = {
  /** Writes only while this is the key's revision; 0: while it has none. */
  readonly expect?: number;
  /** After how long the server forgets the entry, in whole seconds. */
  readonly ttlSeconds?: number;
};

/** A key-value bucket, for small things that change often. */
export type Bucket = {
  /** The last entry of each key that matches a pattern, at most 1,000 keys, also of those that are gone for a short while. */
  latest(patterns?: readonly string[]): Promise<BucketEntry[]>;
  get(key: string): Promise<BucketEntry | undefined>;
  /** The entries whose keys match one of the patterns, however many there are. Needs the permission to create consumers. */
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
      const ack = await ask("write to", () => bus.js.publish(`$KV.${name}.${key}`, value, options));
      return ack.seq;
    } catch (error) {
      if (isConflict(error)) return undefined;
      throw error;
    }
  };

  const latest = async (patterns: readonly string[], atMost: number): Promise<BucketEntry[]> => {
    const entries: BucketEntry[] = [];
    const options = { multi_last: patterns.map((pattern) => `$KV.${name}.${pattern}`), batch: atMost };
    const messages = await bus.manager.direct.getLastMessagesFor(`KV_${name}`, options);
    for await (const { subject, seq, header, data } of messages) {
      const key = subject.slice(`$KV.${name}.`.length);
      entries.push(entryOf({ key, revision: seq, headers: header, data }));
    }
    return entries;
  };

  return {
    latest: (patterns = [">"]) => ask("read", () => latest(patterns, 1_000)),
    get: (key) =>
      ask("read", async () => {
        const entry = await kv.get(key);
        if (entry === null) return undefined;
        const { revision, operation } = entry;
        return operation === "PUT" ? { key, revision, value: entry.string() } : { key, revision };
      }),
    list: (patterns) => {
      const isEmpty = async (): Promise<boolean> => (await latest(patterns, 1)).length === 0;
      return ask("list", () => list(kv, patterns, isEmpty), LISTED_WITHIN_MS);
    },
    write: (key, value, { expect, ttlSeconds } = {}) => {
      const headers = expecting(expect);
      if (ttlSeconds !== undefined) headers.set(PubHeaders.MessageTTL, `${ttlSeconds}s`);
      return publish(key, value, headers);
    },
    async remove(key, { expect } = {}) {
      const headers = expecting(expect);
      headers.set(OPERATION, "PURGE");
      headers.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
      headers.set(PubHeaders.MessageTTL, REMOVED_TTL);
      return (await publish(key, "", headers)) !== undefined;
    },
  };
}

/**
 * The library ends a reading without a word when the connection is lost.
 *
 * @param isEmpty - Asked when no entry has come.
 * @throws {TransientError} When it has ended before the last entry.
 */
async function list(
  kv: KV,
  patterns: readonly string[],
  isEmpty: () => Promise<boolean>,
): Promise<BucketEntry[]> {
  const entries: BucketEntry[] = [];
  let left: number | undefined;
  for await (const { key, revision, operation, value, delta } of await kv.history({ key: [...patterns] })) {
    left = delta ?? 0;
    if (operation === "PUT") entries.push({ key, revision, value: Buffer.from(value).toString() });
  }
  if (left === undefined ? !(await isEmpty()) : left > 0)
    throw new TransientError("the reading ended before the last entry");
  return entries;
}

function expecting(revision: number | undefined): MsgHdrs {
  const headers = createHeaders();
  if (revision !== undefined) headers.set(PubHeaders.ExpectedLastSubjectSequenceHdr, String(revision));
  return headers;
}

type Stored = {
  readonly key: string;
  readonly revision: number;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
};

function entryOf({ key, revision, headers, data }: Stored): BucketEntry {
  if (headers !== undefined && headers.get(OPERATION) !== "") return { key, revision, removed: true };
  if (headers !== undefined && headers.get(MARKER_REASON) !== "") return { key, revision };
  return { key, revision, value: Buffer.from(data).toString() };
}

async function within<Answer>(ms: number, request: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  request.catch(() => undefined); // It may fail when nobody waits for it any more.
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
