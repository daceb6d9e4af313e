/** Sends ended spans to an OTLP/HTTP receiver as JSON, in batches, without ever waiting for it. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { createSpanWriter } from "./otlp-json.ts";
import { postSpans } from "./post-spans.ts";
import type { SpanRecord } from "./span.ts";

/** A live view of a trace should not wait long; a batch should still be worth a request. */
const BATCH_DELAY_MS = 300;
const BATCH_SPANS_MAX = 512;
const QUEUE_SPANS_MAX = 16_384;
/** Well below the grace period of a stopping service. */
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
  /** Attributes of this service as a whole, `service.name` among them. */
  readonly resource: Readonly<Record<string, string>>;
  /** Told once when the receiver stops taking spans, and again only after it has recovered in between. */
  readonly onLost: (error: Error | undefined) => void;
};

/** Opens the way to the receiver. Nothing is sent, and nothing fails, before the first span. */
export function exportSpans({ endpoint, headers, resource, onLost }: ExportOptions): SpanSink {
  const write = createSpanWriter(resource);
  const post = postSpans({ url: new URL(`${endpoint}/v1/traces`), headers, timeoutMs: EXPORT_TIMEOUT_MS });
  let waiting: SpanRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isLosing = false;

  const lose = (error: unknown): void => {
    if (!isLosing) onLost(error instanceof Error ? error : new Error(String(error)));
    isLosing = true;
  };

  /** One batch after the other: what comes meanwhile goes with the next one. */
  const sendWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Whoever has ended the last span of a batch need not wait until all of it is written.
      await nextTurn();
      const batch = waiting.slice(0, BATCH_SPANS_MAX);
      waiting = waiting.slice(BATCH_SPANS_MAX);
      try {
        await post.send(write(batch));
        isLosing = false;
      } catch (error) {
        lose(error);
      }
    }
  };

  const begin = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendWaiting().finally(() => {
      sending = undefined;
    });
    return sending;
  };

  return {
    emit(record) {
      if (waiting.length >= QUEUE_SPANS_MAX) return lose(new Error("too many spans wait for their receiver"));
      waiting.push(record);
      if (waiting.length >= BATCH_SPANS_MAX) void begin();
      else timer ??= setTimeout(() => void begin(), BATCH_DELAY_MS).unref();
    },
    flush: () => bounded(begin()),
    async close() {
      await bounded(begin());
      clearTimeout(timer);
      post[Symbol.dispose]();
    },
  };
}

/** Waits for telemetry to be sent, but never long: loss is reported where it happens. */
async function bounded(sending: Promise<void>): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, FLUSH_TIMEOUT_MS);
  await Promise.race([sending, waited.promise]);
  clearTimeout(timer);
}
