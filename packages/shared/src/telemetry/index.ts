export { processSpan, sendSpan } from "./messaging-spans.ts";
export { withModelSpan } from "./model-span.ts";
export { noTelemetry, type Telemetry, withSpan } from "./telemetry.ts";
export { createPlanSampler, type PlanSampler } from "./plan-sampler.ts";
export {
  pooledRandomBytes,
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
export type { Span, SpanAttributes, SpanOptions } from "./span.ts";
export { startTelemetry, telemetryFromConfig } from "./start-telemetry.ts";
export { tracesTo } from "./trace-receivers.ts";
