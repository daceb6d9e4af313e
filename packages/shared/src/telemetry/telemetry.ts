/** The services' interface to tracing. */
import type { Span, SpanAttributes, SpanKind, SpanOptions } from "./span.ts";
import type { TraceParent } from "./trace-parent.ts";

/** A span whose ids and times are all known, such as a plan's `invoke_workflow` when the plan has ended. */
export type FinishedSpan = {
  /** The span's own ids, allocated when it began. */
  readonly ids: TraceParent;
  /** Absent for the root of a trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: SpanKind;
  readonly startTimeMs: number;
  readonly endTimeMs: number;
  readonly attributes?: SpanAttributes;
  readonly links?: readonly TraceParent[];
  /** Why it failed, when it did. */
  readonly error?: unknown;
};

export type Telemetry = AsyncDisposable & {
  /** Whether spans of model calls can contain prompts and replies. */
  readonly captureContent: boolean;
  /** Starts a child span of `parent`; without one, or when the plan is not sampled, it records nothing. */
  spanFrom(parent: TraceParent | undefined, name: string, options?: SpanOptions): Span;
  /** Starts the first span of a trace under ids from `newTraceIds`. */
  rootSpan(ids: TraceParent, name: string, options?: SpanOptions): Span;
  /** Emits a span after the fact. For an unsampled plan, only if it failed. */
  emitSpan(span: FinishedSpan): void;
  /** Sends pending spans. Stops silently after two seconds: telemetry never holds up its service. */
  flush(): Promise<void>;
};

/**
 * Runs `work` inside a span: it ends when the work does, and fails when the work throws.
 *
 * @throws Any error of `work`.
 */
export async function withSpan<Result>(span: Span, work: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await work(span);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Ids that the standard defines as invalid: without a parent. */
const NO_IDS: TraceParent = { traceId: "0".repeat(32), spanId: "0".repeat(16), sampled: false };

const nothing = () => undefined;

/** A span that records nothing and passes its parent's ids on. */
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
