/**
 * The ids of a span's parent, passed between processes as W3C `traceparent`.
 *
 * Parents are passed explicitly. A plan outlives any call stack, so an ambient "current span" would
 * be wrong more often than right.
 */
import { randomFillSync } from "node:crypto";

export type TraceParent = {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits: the parent of the next spans. */
  readonly spanId: string;
  /** Decided once per plan, at submission. */
  readonly sampled: boolean;
};

/** Generates random bytes; injected so that tests can fix the ids. */
export type RandomBytes = (size: number) => Uint8Array;

/** Headers of NATS messages; `get` returns `""` for a missing header. */
export type HeaderCarrier = {
  get(name: string): string;
  set(name: string, value: string): void;
};

export const TRACEPARENT = "traceparent";

const PATTERN =
  /^(?!ff)[\da-f]{2}-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(-.*)?$/;
const ONLY_ZEROS = /^0+$/;
const SAMPLED_FLAG = 1;

/** Ids of a new trace and of its root span. */
export function newTraceIds({
  sampled,
  random = pooledRandomBytes,
}: {
  readonly sampled: boolean;
  readonly random?: RandomBytes;
}): TraceParent {
  return { traceId: newId(16, random), spanId: newId(8, random), sampled };
}

/**
 * Returns the ids of a child span of `parent` that will be emitted later, so that its own children can refer to it
 * before it has ended.
 */
export function childIds(parent: TraceParent, random: RandomBytes = pooledRandomBytes): TraceParent {
  return { ...parent, spanId: newId(8, random) };
}

/** Parses a `traceparent` value; undefined when it is absent or not well-formed, as the standard requires. */
export function parseTraceParent(header: string | null | undefined): TraceParent | undefined {
  const groups = PATTERN.exec((header ?? "").trim())?.groups;
  if (groups === undefined) return undefined;
  const { traceId = "", spanId = "", flags = "" } = groups;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED_FLAG) === SAMPLED_FLAG };
}

/** The `traceparent` value, version 00. */
export function renderTraceParent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** Writes the parent into message headers, once: an existing value is never overwritten. */
export function injectTrace(headers: HeaderCarrier, parent: TraceParent): void {
  if (headers.get(TRACEPARENT) === "") headers.set(TRACEPARENT, renderTraceParent(parent));
}

/** The parent in a message's headers, if any. */
export function extractTrace(headers: Pick<HeaderCarrier, "get"> | undefined): TraceParent | undefined {
  return parseTraceParent(headers?.get(TRACEPARENT));
}

function newId(size: number, random: RandomBytes): string {
  const id = Buffer.from(random(size)).toString("hex");
  // All zeros means "invalid" in the standard; one chance in 2^64.
  return ONLY_ZEROS.test(id) ? newId(size, pooledRandomBytes) : id;
}

const POOL_BYTES = 8 * 1024;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Random bytes of the system, fetched in large blocks: ids are short and many, and each fetch costs the same.
 *
 * No byte is returned twice.
 *
 * @param size - At most 8,192.
 */
export function pooledRandomBytes(size: number): Uint8Array {
  if (size > POOL_BYTES) throw new RangeError(`size must be at most ${POOL_BYTES}, got ${size}`);
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  // A copy, because the pool is refilled.
  return Uint8Array.prototype.slice.call(pool, used - size, used);
}
