/**
 * Sends ended spans to an OTLP/HTTP receiver as JSON, in batches, without blocking the service.
 *
 * Only the batch processor and the exporter of OpenTelemetry's SDK are used. Its tracer would choose
 * ids and context itself, and ours are determined by the plan.
 */
import {
  type HrTime,
  type Link,
  SpanKind as OtelSpanKind,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace";
import type { SpanKind, SpanRecord } from "./span.ts";
import type { TraceParent } from "./trace-parent.ts";

/** A live view of a trace should not lag; a batch should still be worth a request. */
const BATCH_DELAY_MS = 300;
const BATCH_SPANS_MAX = 512;
const QUEUE_SPANS_MAX = 16_384;
/** Includes the exporter's own retries. Well below the grace period of a stopping service. */
const EXPORT_TIMEOUT_MS = 3_000;
const FLUSH_TIMEOUT_MS = 2_000;

export type SpanSink = {
  readonly emit: (record: SpanRecord) => void;
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ExportOptions = {
  /** Base URL of the receiver. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of this service as a whole, including `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** Called once when the receiver stops accepting spans, and again only after it has recovered in between. */
  readonly onLost: (error: Error | undefined) => void;
};

/** Opens an exporter. Nothing is sent, and nothing fails, before the first span. */
export function exportSpans({ endpoint, headers, resource, onLost }: ExportOptions): SpanSink {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter: reportLoss(exporter, onLost),
    scheduledDelayMillis: BATCH_DELAY_MS,
    maxExportBatchSize: BATCH_SPANS_MAX,
    maxQueueSize: QUEUE_SPANS_MAX,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS + 500,
  });
  const sharedResource = resourceFromAttributes({ ...resource });
  return {
    emit: (record) => processor.onEnd(readable(record, sharedResource)),
    flush: () => bounded(processor.forceFlush()),
    close: () => bounded(processor.shutdown()),
  };
}

function reportLoss(exporter: SpanExporter, onLost: ExportOptions["onLost"]): SpanExporter {
  let lost = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result: ExportResult) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !lost) onLost(result.error);
        lost = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Waits briefly for telemetry to be sent, and never rejects: loss was reported already. */
async function bounded(sending: Promise<void>): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, FLUSH_TIMEOUT_MS);
  await Promise.race([sending.catch(() => undefined), waited.promise]);
  clearTimeout(timer);
}

const KINDS: Readonly<Record<SpanKind, OtelSpanKind>> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
};

function readable(record: SpanRecord, resource: Resource): ReadableSpan {
  const { ids, parentSpanId } = record;
  const context = spanContext(ids);
  return {
    name: record.name,
    kind: KINDS[record.kind],
    spanContext: () => context,
    ...(parentSpanId === undefined
      ? {}
      : { parentSpanContext: spanContext({ ...ids, spanId: parentSpanId }) }),
    startTime: hrTime(record.startTimeMs),
    endTime: hrTime(record.endTimeMs),
    duration: hrTime(Math.max(0, record.endTimeMs - record.startTimeMs)),
    status:
      record.error === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: record.error },
    attributes: record.attributes,
    links: record.links.map((link): Link => ({ context: spanContext(link) })),
    events: record.events.map(({ name, timeMs, attributes }) => ({ name, time: hrTime(timeMs), attributes })),
    ended: true,
    resource,
    instrumentationScope: { name: "planwright" },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function spanContext({ traceId, spanId, sampled }: TraceParent) {
  return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}

/** Seconds and nanoseconds. */
function hrTime(timeMs: number): HrTime {
  const seconds = Math.floor(timeMs / 1_000);
  return [seconds, Math.min(999_999_999, Math.round((timeMs - seconds * 1_000) * 1_000_000))];
}
