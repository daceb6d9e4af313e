export { processSpan, sendSpan } from "./messaging-spans.ts";
export { type ModelCall, withModelSpan } from "./model-span.ts";
export { noTelemetry } from "./no-telemetry.ts";
export { createPlanSampler, type PlanSampler } from "./plan-sampler.ts";
export { pooledRandomBytes } from "./pooled-random-bytes.ts";
export type { Span, SpanAttributes, SpanOptions } from "./span.ts";
export { startTelemetry, telemetryFromConfig } from "./start-telemetry.ts";
export { type Telemetry, withSpan } from "./telemetry.ts";
export {
  childIds,
  extractTrace,
  injectTrace,
  newTraceIds,
  parseTraceParent,
  type RandomBytes,
  renderTraceParent,
  TRACEPARENT,
  type TraceParent,
} from "./trace-parent.ts";
export { TRACES_TO, tracesTo } from "./trace-receivers.ts";
