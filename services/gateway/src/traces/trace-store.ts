/** The spans that came in last, by trace: enough for the view of a plan, and no more than memory allows. */
import type { ReceivedSpan } from "./otlp-request.ts";

export type TraceStoreLimits = {
  readonly spansMax: number;
  readonly spansOfATraceMax: number;
};

const LIMITS: TraceStoreLimits = { spansMax: 100_000, spansOfATraceMax: 20_000 };

export type TraceStore = {
  add(spans: readonly ReceivedSpan[]): void;
  /** In the order of their beginnings; empty for a trace that is not known, or not any more. */
  get(traceId: string): ReceivedSpan[];
  readonly spanCount: number;
};

/** When there are too many spans, the traces go whose first spans came first. */
export function createTraceStore(limits: TraceStoreLimits = LIMITS): TraceStore {
  const traces = new Map<string, Map<string, ReceivedSpan>>();
  let spanCount = 0;

  const evict = (keep: string): void => {
    for (const [traceId, spans] of traces) {
      if (spanCount <= limits.spansMax) return;
      if (traceId === keep) continue;
      traces.delete(traceId);
      spanCount -= spans.size;
    }
  };

  return {
    add(spans) {
      for (const span of spans) {
        const known = traces.get(span.traceId) ?? new Map<string, ReceivedSpan>();
        traces.set(span.traceId, known);
        // A sender that got no answer sends again.
        if (known.has(span.spanId)) continue;
        if (known.size >= limits.spansOfATraceMax) continue;
        known.set(span.spanId, span);
        spanCount += 1;
        if (spanCount > limits.spansMax) evict(span.traceId);
      }
    },
    get(traceId) {
      const spans = [...(traces.get(traceId)?.values() ?? [])];
      return spans.toSorted((left, right) => compareNanos(left.startTimeUnixNano, right.startTimeUnixNano));
    },
    get spanCount() {
      return spanCount;
    },
  };
}

/** Whole numbers as text, without leading zeros: the longer one is the larger one. */
function compareNanos(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
