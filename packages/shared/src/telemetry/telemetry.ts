/** Tracing as services use it. */
import type { Span, SpanAttributes, SpanKind, SpanOptions } from "./span.ts";
import type { TraceParent } from "./trace-parent.ts";

/** A span whose ids and times are all known: what a plan's `invoke_workflow` is when the plan has ended. */
export type FinishedSpan = {
  /** Its own ids, allocated when it began. */
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
  /** Whether spans of model calls may carry prompts and replies. */
  readonly captureContent: boolean;
  /** Starts a span below `parent`; without one, or when the plan is not sampled, it records nothing. */
  spanFrom(parent: TraceParent | undefined, name: string, options?: SpanOptions): Span;
  /** Starts the first span of a trace under ids from `newTraceIds`. */
  rootSpan(ids: TraceParent, name: string, options?: SpanOptions): Span;
  /** Emits a span after the fact. Of an unsampled plan only a failed one is emitted. */
  emitSpan(span: FinishedSpan): void;
  /** Sends what is waiting. Stops silently after two seconds: telemetry never holds up its service. */
  flush(): Promise<void>;
};

/**
 * Runs `work` inside a span: it ends when the work does, and fails when the work throws.
 *
 * @throws Whatever `work` throws.
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
