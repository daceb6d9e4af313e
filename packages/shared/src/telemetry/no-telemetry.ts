/** Tracing that is switched off. */
import type { Span } from "./span.ts";
import type { Telemetry } from "./telemetry.ts";
import type { TraceParent } from "./trace-parent.ts";

/** Ids that the standard calls invalid: the parent of nothing. */
const NO_IDS: TraceParent = { traceId: "0".repeat(32), spanId: "0".repeat(16), sampled: false };

const nothing = () => undefined;

/** A span that records nothing and hands its parent's ids on. */
export function noSpan(ids: TraceParent = NO_IDS): Span {
  return { ids, setAttributes: nothing, addEvent: nothing, fail: nothing, end: nothing };
}

/** Used where no receiver is configured. */
export const noTelemetry: Telemetry = {
  captureContent: false,
  spanFrom: (parent) => noSpan(parent),
  rootSpan: (ids) => noSpan(ids),
  emitSpan: nothing,
  flush: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
