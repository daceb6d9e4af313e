/** Starts tracing for one service. Nothing is global: four services can trace in one process. */
import type { Logger } from "pino";
import type { Redaction } from "../redaction/redaction.ts";
import { SPANS } from "../redaction/surfaces.ts";
import type { CommonConfig } from "../service/common-config.ts";
import { exportSpans, type SpanSink } from "./export-spans.ts";
import { noSpan, noTelemetry, type FinishedSpan, type Telemetry } from "./telemetry.ts";
import { pooledRandomBytes, childIds, type RandomBytes, type TraceParent } from "./trace-parent.ts";
import { type Span, type SpanDeps, type SpanRecord, startRecordedSpan, startUnsampledSpan } from "./span.ts";
import { type TraceReceiver, traceReceivers } from "./trace-receivers.ts";

export type TelemetryOptions = {
  /** Becomes `service.name`. */
  readonly service: string;
  /** Base URL of the OTLP/HTTP receiver; without it there is no tracing. */
  readonly endpoint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further receivers of every span. */
  readonly also?: readonly TraceReceiver[];
  /** Further resource attributes, such as `service.instance.id`. */
  readonly resource?: Readonly<Record<string, string>>;
  /** Whether spans of model calls can contain prompts and replies; default no. */
  readonly captureContent?: boolean;
  /** Redaction of attributes, events and errors; default none. */
  readonly redaction?: Redaction;
  readonly log?: Logger;
  /** Milliseconds since the epoch, with fractions. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
};

/**
 * Starts tracing. Dispose it after everything that creates spans: it sends the remaining ones, for at most
 * two seconds, whether or not the receiver is reachable.
 */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  if (options.endpoint === undefined) return noTelemetry;
  const { endpoint, headers = {}, also = [] } = options;
  const sink = joined([{ endpoint, headers }, ...also].map((receiver) => sinkTo(receiver, options)));
  const deps: SpanDeps = {
    emit: emitRedacted(sink.emit, options.redaction),
    now: options.now ?? createClock(),
    random: options.random ?? pooledRandomBytes,
  };
  const start = (sampled: boolean) => (sampled ? startRecordedSpan : startUnsampledSpan);

  return {
    captureContent: options.captureContent ?? false,
    spanFrom(parent, name, spanOptions = {}): Span {
      if (parent === undefined) return noSpan();
      const ids = ownIds(parent, spanOptions.spanId, deps.random);
      return start(parent.sampled)({ ids, parentSpanId: parent.spanId, name, options: spanOptions }, deps);
    },
    rootSpan: (ids, name, spanOptions = {}) =>
      start(ids.sampled)({ ids, parentSpanId: undefined, name, options: spanOptions }, deps),
    emitSpan: (span) => emitFinished(span, deps),
    flush: sink.flush,
    [Symbol.asyncDispose]: sink.close,
  };
}

/**
 * Starts tracing according to a service's settings.
 *
 * @throws {PermanentError} When they require a receiver that they do not name.
 */
export function telemetryFromConfig(
  config: CommonConfig,
  options: Pick<TelemetryOptions, "service" | "resource" | "redaction" | "log">,
): Telemetry {
  const [first, ...also] = traceReceivers(config);
  return startTelemetry({
    ...options,
    ...first,
    also,
    captureContent: config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
  });
}

/** Spans leave the process without the hidden values: their readers elsewhere are unknown here. */
function emitRedacted(emit: SpanSink["emit"], redaction: Redaction | undefined): SpanSink["emit"] {
  if (redaction === undefined || !redaction.isActive) return emit;
  const { all } = redaction;
  const contentOf = ({ name, attributes, events, error }: SpanRecord) =>
    all.json({ name, attributes, events, ...(error === undefined ? {} : { error }) }, SPANS);
  return (record) => emit({ ...record, ...contentOf(record) });
}

function sinkTo({ endpoint, headers }: TraceReceiver, options: TelemetryOptions): SpanSink {
  return exportSpans({
    endpoint: endpoint.replace(/\/+$/, ""),
    headers,
    resource: { "service.namespace": "planwright", ...options.resource, "service.name": options.service },
    onLost: (err) => options.log?.warn({ err }, "traces cannot be delivered"),
  });
}

/** Sends to several sinks; a failing or slow one does not delay the others. */
function joined(sinks: readonly SpanSink[]): SpanSink {
  const [only] = sinks;
  if (only !== undefined && sinks.length === 1) return only;
  const all = async (act: (sink: SpanSink) => Promise<void>): Promise<void> =>
    void (await Promise.all(sinks.map(act)));
  return {
    emit(record) {
      for (const sink of sinks) sink.emit(record);
    },
    flush: () => all((sink) => sink.flush()),
    close: () => all((sink) => sink.close()),
  };
}

/** An unsampled span keeps its parent's ids, which saves generating random ones. */
function ownIds(parent: TraceParent, spanId: string | undefined, random: RandomBytes) {
  if (spanId !== undefined) return { ...parent, spanId };
  return parent.sampled ? childIds(parent, random) : parent;
}

function emitFinished(span: FinishedSpan, deps: SpanDeps): void {
  const { ids, parentSpanId, name, kind, startTimeMs, links } = span;
  const options = {
    ...(kind === undefined ? {} : { kind }),
    ...(links === undefined ? {} : { links }),
    startTimeMs,
    ...(span.attributes === undefined ? {} : { attributes: span.attributes }),
  };
  const start = ids.sampled ? startRecordedSpan : startUnsampledSpan;
  const started = start({ ids, parentSpanId, name, options }, deps);
  if (span.error !== undefined) started.fail(span.error);
  started.end(span.endTimeMs);
}

/** Wall-clock time with the sub-millisecond precision that spans need. */

const DRIFT_MS_MAX = 2;

/**
 * Creates a clock of milliseconds since the epoch, with fractions.
 *
 * It counts on the monotonic clock and follows the wall clock when the two have diverged (the
 * machine slept, or its time was set), so that spans of different processes stay comparable.
 */
export function createClock(
  wallMs: () => number = Date.now,
  monotonicMs: () => number = () => performance.now(),
): () => number {
  let offsetMs = wallMs() - monotonicMs();
  return () => {
    const elapsedMs = monotonicMs();
    const driftMs = wallMs() - (offsetMs + elapsedMs);
    if (Math.abs(driftMs) > DRIFT_MS_MAX) offsetMs += driftMs;
    return offsetMs + elapsedMs;
  };
}
