import type { KeptFigures } from "../traces/trace-store.ts";
import { gauge, type Metric } from "./render-metrics.ts";

/** The Prometheus metrics of the spans that are kept for the trace view, and of those that were not. */
export function traceMetrics({ traces, spans, bytes, evicted, dropped }: KeptFigures): Metric[] {
  return [
    gauge("planwright_traces", "Traces kept for the trace view.", traces),
    gauge("planwright_trace_spans", "Spans kept for the trace view.", spans),
    gauge("planwright_trace_bytes", "Approximate memory used by the kept spans, in bytes.", bytes),
    {
      name: "planwright_trace_spans_dropped_total",
      help: "Spans that were dropped, because they were evicted with their trace or exceeded the maximum for one trace.",
      type: "counter",
      values: [
        ['reason="evicted"', evicted],
        ['reason="trace_too_large"', dropped],
      ],
    },
  ];
}
