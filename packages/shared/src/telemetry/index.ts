export { type MessageFacts, processSpan, sendSpan } from "./messaging-spans.ts";
export { type ModelCall, withModelSpan } from "./model-span.ts";
export { noTelemetry } from "./no-telemetry.ts";
export { createPlanSampler, type PlanSampler } from "./plan-sampler.ts";
export { pooledRandomBytes } from "./pooled-random-bytes.ts";
export type { Span, SpanAttributes, SpanKind, SpanOptions } from "./span.ts";
export { startTelemetry, telemetryFromConfig, type TelemetryOptions } from "./start-telemetry.ts";
export { type FinishedSpan, type Telemetry, withSpan } from "./telemetry.ts";
export {
  childIds,
  extractTrace,
  type HeaderCarrier,
  injectTrace,
  newTraceIds,
  parseTraceParent,
  type RandomBytes,
  renderTraceParent,
  TRACEPARENT,
  type TraceParent,
} from "./trace-parent.ts";
export { type TraceReceiver, traceReceivers, TRACES_TO, type TracesTo, tracesTo } from "./trace-receivers.ts";
