/**
 * The spans that came in last, by trace: enough for the view of a plan, and no more than memory allows. Each is kept as
 * the JSON that the trace view shows: as objects, spans take four times the memory, and most are never viewed.
 */
import type { Span } from "@planwright/api";
import type { ReceivedSpan } from "./otlp-request.ts";
import { shownSpan } from "./shown-span.ts";

/** What a kept span takes beside its JSON: measured on V8, rounded up. */
const SPAN_BYTES = 200;
/** Characters above these make V8 use two bytes for each character of a text. */
const IS_WIDE = /[\u0100-\uffff]/;

export type TraceStoreLimits = {
  readonly tracesMax: number;
  readonly spansMax: number;
  readonly spansOfATraceMax: number;
  /** As {@link bytesOf} counts them. */
  readonly bytesMax: number;
  readonly bytesOfATraceMax: number;
};

const TRACES_KEPT_MAX = 20_000;
const SPANS_KEPT_MAX = 100_000;
const SPANS_OF_A_TRACE_MAX = 20_000;
const SPAN_BYTES_KEPT_MAX = 128 * 1024 * 1024;
/** A viewer of a trace is sent all of it in one response. */
const SPAN_BYTES_OF_A_TRACE_MAX = 64 * 1024 * 1024;
/** Of so many traces it is remembered that they were let go. */
const EVICTED_KNOWN_MAX = 20_000;

const LIMITS: TraceStoreLimits = {
  tracesMax: TRACES_KEPT_MAX,
  spansMax: SPANS_KEPT_MAX,
  spansOfATraceMax: SPANS_OF_A_TRACE_MAX,
  bytesMax: SPAN_BYTES_KEPT_MAX,
  bytesOfATraceMax: SPAN_BYTES_OF_A_TRACE_MAX,
};

/** The kept spans, and those dropped or evicted, since the start. */
export type KeptFigures = {
  readonly traces: number;
  readonly spans: number;
  readonly bytes: number;
  /** Spans that went with their traces, to make room. */
  readonly evicted: number;
  /** Spans of traces that had too many. */
  readonly dropped: number;
};

export const NOTHING_KEPT: KeptFigures = { traces: 0, spans: 0, bytes: 0, evicted: 0, dropped: 0 };

/** Whose key the spans came with: a tenant's, or `undefined`, that of the services. */
export type Sender = string | undefined;

type StoredTrace = {
  /** In the order of their beginnings; empty for a trace that is not known, or not any more. */
  readonly spans: readonly Span[];
  readonly dropped: number;
  readonly evicted: boolean;
};

type TraceStore = {
  /** @returns How many were not kept, because their trace has too many. */
  add(spans: readonly ReceivedSpan[], sender: Sender): number;
  /** A tenant's view of a trace: the spans of the services, and its own. */
  get(traceId: string, tenant: string): StoredTrace;
  /** Lets go of some of these spans. */
  remove(traceId: string, tenant: string, spanIds: ReadonlySet<string>): void;
  readonly figures: KeptFigures;
};

/** With the JSON of its spans, by their ids. */
type Entry = { readonly spans: Map<string, string>; bytes: number; dropped: number };

/**
 * When there is too much, the traces go whose first spans came first. What different senders say of one trace is kept apart, as if
 * they were several: no tenant adds to what another one sees, or takes its room.
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

  /** Whether it is kept, or was already. */
  const addSpan = (span: ReceivedSpan, sender: Sender): boolean => {
    const key = keyOf(span.traceId, sender);
    const entry = traces.get(key) ?? { spans: new Map(), bytes: 0, dropped: 0 };
    traces.set(key, entry);
    // A sender that got no answer sends again.
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

/** Of an id that several senders have used, the first one's span. */
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

/** Whole numbers as text, without leading zeros: the longer one is the larger one. */
function compareNanos(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** About how much memory a span takes. @param json - The span as it is kept. */
function bytesOf(json: string): number {
  return SPAN_BYTES + json.length * (IS_WIDE.test(json) ? 2 : 1);
}
