/**
 * The most recent spans, by trace: enough for the view of a plan, and no more than memory allows. Each is stored as the JSON that
 * the trace view shows: as objects, spans take four times the memory, and most are never viewed.
 */
import type { Span } from "@planwright/api";
import type { ReceivedSpan } from "./otlp-request.ts";
import { shownSpan } from "./shown-span.ts";

/** The memory of a stored span besides its JSON: measured on V8, rounded up. */
const SPAN_BYTES = 200;
/** Any of these characters makes V8 use two bytes for each character of a string. */
const IS_WIDE = /[\u0100-\uffff]/;

export type TraceStoreLimits = {
  readonly tracesMax: number;
  readonly spansMax: number;
  readonly spansOfATraceMax: number;
  /** As counted by {@link bytesOf}. */
  readonly bytesMax: number;
  readonly bytesOfATraceMax: number;
};

const TRACES_KEPT_MAX = 20_000;
const SPANS_KEPT_MAX = 100_000;
const SPANS_OF_A_TRACE_MAX = 20_000;
const SPAN_BYTES_KEPT_MAX = 128 * 1024 * 1024;
/** The limit for one trace, since viewing it sends all of its spans in one response. */
const SPAN_BYTES_OF_A_TRACE_MAX = 64 * 1024 * 1024;
/** The number of evicted traces to remember. */
const EVICTED_KNOWN_MAX = 20_000;

const LIMITS: TraceStoreLimits = {
  tracesMax: TRACES_KEPT_MAX,
  spansMax: SPANS_KEPT_MAX,
  spansOfATraceMax: SPANS_OF_A_TRACE_MAX,
  bytesMax: SPAN_BYTES_KEPT_MAX,
  bytesOfATraceMax: SPAN_BYTES_OF_A_TRACE_MAX,
};

/** The number of kept spans, and of those dropped or evicted, since the start. */
export type KeptFigures = {
  readonly traces: number;
  readonly spans: number;
  readonly bytes: number;
  /** Spans evicted with their traces, to make room. */
  readonly evicted: number;
  /** Spans dropped because their traces had too many. */
  readonly dropped: number;
};

export const NOTHING_KEPT: KeptFigures = { traces: 0, spans: 0, bytes: 0, evicted: 0, dropped: 0 };

/** The sender of spans: a tenant, or `undefined` for the services. */
export type Sender = string | undefined;

type StoredTrace = {
  /** Ordered by start time; empty for a trace that is unknown or was evicted. */
  readonly spans: readonly Span[];
  readonly dropped: number;
  readonly evicted: boolean;
};

type TraceStore = {
  /** @returns The number of spans dropped because their trace has too many. */
  add(spans: readonly ReceivedSpan[], sender: Sender): number;
  /** A tenant's view of a trace: the services' spans and its own. */
  get(traceId: string, tenant: string): StoredTrace;
  /** Removes some of these spans. */
  remove(traceId: string, tenant: string, spanIds: ReadonlySet<string>): void;
  readonly figures: KeptFigures;
};

/** Holds the JSON of its spans, by span id. */
type Entry = { readonly spans: Map<string, string>; bytes: number; dropped: number };

/**
 * Evicts the traces whose first spans are the oldest when there are too many. The same trace from different senders is stored
 * separately, as if it were several: no tenant can add to what another one sees, or take its room.
 */
export function createTraceStore(limits: TraceStoreLimits = LIMITS): TraceStore {
  const traces = new Map<string, Entry>();
  const gone = new Set<string>();
  let spans = 0;
  let bytes = 0;
  let evicted = 0;
  let dropped = 0;

  const isFull = (): boolean =>
    spans > limits.spansMax || bytes > limits.bytesMax || traces.size > limits.tracesMax;
  const evict = (keep: string): void => {
    for (const [traceId, entry] of traces) {
      if (!isFull()) return;
      if (traceId === keep) continue;
      traces.delete(traceId);
      spans -= entry.spans.size;
      bytes -= entry.bytes;
      evicted += entry.spans.size;
      gone.add(traceId);
      if (gone.size > EVICTED_KNOWN_MAX) gone.delete(gone.values().next().value ?? "");
    }
  };

  /** Returns whether the span is kept, or already was. */
  const addSpan = (span: ReceivedSpan, sender: Sender): boolean => {
    const key = keyOf(span.traceId, sender);
    const entry = traces.get(key) ?? { spans: new Map(), bytes: 0, dropped: 0 };
    traces.set(key, entry);
    // A sender that got no response sends the span again.
    if (entry.spans.has(span.spanId)) return true;
    const json = JSON.stringify(shownSpan(span));
    const size = bytesOf(json);
    if (entry.spans.size >= limits.spansOfATraceMax || entry.bytes + size > limits.bytesOfATraceMax) {
      entry.dropped += 1;
      dropped += 1;
      return false;
    }
    entry.spans.set(span.spanId, json);
    entry.bytes += size;
    spans += 1;
    bytes += size;
    if (isFull()) evict(key);
    return true;
  };
  const keysFor = (traceId: string, tenant: string) => [keyOf(traceId, undefined), keyOf(traceId, tenant)];

  return {
    add: (added, sender) =>
      added.reduce((refused, span) => (addSpan(span, sender) ? refused : refused + 1), 0),
    get(traceId, tenant) {
      const keys = keysFor(traceId, tenant);
      const entries = keys.flatMap((key) => traces.get(key) ?? []);
      return { ...together(entries), evicted: keys.some((key) => gone.has(key)) };
    },
    remove(traceId, tenant, spanIds) {
      for (const key of keysFor(traceId, tenant)) {
        const entry = traces.get(key);
        for (const spanId of spanIds) {
          const json = entry?.spans.get(spanId);
          if (entry === undefined || json === undefined) continue;
          entry.spans.delete(spanId);
          const size = bytesOf(json);
          entry.bytes -= size;
          bytes -= size;
          spans -= 1;
        }
        if (entry?.spans.size === 0) traces.delete(key);
      }
    },
    get figures() {
      return { traces: traces.size, spans, bytes, evicted, dropped };
    },
  };
}

/** Merges entries. If several senders have used an id, the first one's span counts. */
function together(entries: readonly Entry[]): Pick<StoredTrace, "spans" | "dropped"> {
  const kept = new Map(entries.toReversed().flatMap((entry) => [...entry.spans])).values().toArray();
  const spans = kept.map((json) => JSON.parse(json) as Span);
  return {
    spans: spans.toSorted((left, right) => compareNanos(left.startTimeUnixNano, right.startTimeUnixNano)),
    dropped: entries.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

function keyOf(traceId: string, sender: Sender): string {
  return sender === undefined ? traceId : `${traceId} of ${sender}`;
}

/** Compares whole numbers in text form, without leading zeros: the longer one is the larger one. */
function compareNanos(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** The approximate memory of a span. @param json - The span as stored. */
function bytesOf(json: string): number {
  return SPAN_BYTES + json.length * (IS_WIDE.test(json) ? 2 : 1);
}
