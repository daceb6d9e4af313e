/**
 * Spans with explicit parents, ids and times.
 *
 * Invariants:
 *   SPAN-1. A span is emitted exactly once, at its first `end`; later calls change nothing.
 *   SPAN-2. A span of an unsampled plan records nothing and passes its parent's ids on unchanged.
 *   SPAN-3. Unless it failed: then it is emitted with its own ids, so that errors are always visible.
 *       Its parent was not emitted; viewers show it as a root of the plan's trace.
 */
import type { Attributes } from "@opentelemetry/api";
import { childIds, type RandomBytes, type TraceParent } from "./trace-parent.ts";

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export type SpanAttribute = string | number | boolean | readonly string[] | readonly number[];

/** Undefined values are dropped. */
export type SpanAttributes = Readonly<Record<string, SpanAttribute | undefined>>;

export type SpanOptions = {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  readonly links?: readonly TraceParent[];
  /** Milliseconds since the epoch, fractions allowed; default now. */
  readonly startTimeMs?: number;
  /** The span's own id if `childIds` allocated it earlier. */
  readonly spanId?: string;
};

export type Span = {
  /** The parent ids for operations inside this span. */
  readonly ids: TraceParent;
  setAttributes(attributes: SpanAttributes): void;
  addEvent(name: string, attributes?: SpanAttributes): void;
  /** Marks the span as failed. An abort marks it as cancelled instead: it is not an error. */
  fail(error: unknown): void;
  /** @param endTimeMs - Milliseconds since the epoch; default now. */
  end(endTimeMs?: number): void;
};

export type SpanEvent = { readonly name: string; readonly timeMs: number; readonly attributes: Attributes };

/** A span that has ended. */
export type SpanRecord = {
  readonly ids: TraceParent;
  /** Absent for the root of a trace. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startTimeMs: number;
  readonly endTimeMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly TraceParent[];
  /** Why it failed; absent when it succeeded. */
  readonly error?: string;
};

export type SpanDeps = {
  readonly emit: (record: SpanRecord) => void;
  /** Milliseconds since the epoch, with fractions. */
  readonly now: () => number;
  readonly random: RandomBytes;
};

/** Limits of one span; the rest is cut off. */
export const SPAN_LIMITS = { attributeCharsMax: 65_536, eventsMax: 128, linksMax: 1_024 } as const;

type SpanStart = {
  readonly ids: TraceParent;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly options: SpanOptions;
};

/** Starts a span that is emitted when it ends. */
export function startRecordedSpan({ ids, parentSpanId, name, options }: SpanStart, deps: SpanDeps): Span {
  const startTimeMs = options.startTimeMs ?? deps.now();
  const attributes = cleanAttributes(options.attributes);
  const events: SpanEvent[] = [];
  let error: string | undefined;
  let ended = false;

  return {
    ids,
    setAttributes: (more) => void Object.assign(attributes, cleanAttributes(more)),
    addEvent(eventName, eventAttributes) {
      if (events.length >= SPAN_LIMITS.eventsMax) return;
      events.push({ name: eventName, timeMs: deps.now(), attributes: cleanAttributes(eventAttributes) });
    },
    fail(cause) {
      const failure = describeFailure(cause);
      Object.assign(attributes, failure.attributes);
      if (failure.event === undefined) return;
      error = failure.message;
      events.push({ name: "exception", timeMs: deps.now(), attributes: failure.event });
    },
    end(endTimeMs = deps.now()) {
      if (ended) return;
      ended = true;
      const links = (options.links ?? []).slice(0, SPAN_LIMITS.linksMax);
      const kind = options.kind ?? "internal";
      deps.emit({
        ids,
        parentSpanId,
        name,
        kind,
        startTimeMs,
        endTimeMs,
        attributes,
        events,
        links,
        ...(error === undefined ? {} : { error }),
      });
    },
  };
}

/** Starts a span of an unsampled plan: nothing is recorded unless it fails. */
export function startUnsampledSpan({ ids, parentSpanId, name, options }: SpanStart, deps: SpanDeps): Span {
  const startTimeMs = options.startTimeMs ?? deps.now();
  let recorded: Span | undefined;
  return {
    ids,
    setAttributes: (attributes) => recorded?.setAttributes(attributes),
    addEvent: (eventName, attributes) => recorded?.addEvent(eventName, attributes),
    fail(error) {
      if (isAbort(error)) return;
      // An id that was not allocated for this span is its parent's.
      const own = ids.spanId === parentSpanId ? childIds(ids, deps.random) : ids;
      recorded ??= startRecordedSpan(
        {
          ids: { ...own, sampled: true },
          parentSpanId,
          name,
          options: { ...options, startTimeMs },
        },
        deps,
      );
      recorded.setAttributes({ "plan.sampled": false });
      recorded.fail(error);
    },
    end: (endTimeMs) => recorded?.end(endTimeMs),
  };
}

/** Drops undefined values and cuts long ones. */
export function cleanAttributes(attributes: SpanAttributes = {}): Attributes {
  const clean: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) clean[name] = typeof value === "string" ? cut(value) : value;
  }
  return clean;
}

function describeFailure(error: unknown): { attributes: Attributes; message: string; event?: Attributes } {
  if (isAbort(error)) return { attributes: { cancelled: true }, message: "cancelled" };
  const name = error instanceof Error ? error.name : typeof error;
  const message = cut(error instanceof Error ? error.message : String(error));
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : name;
  const event: Attributes = { "exception.type": name, "exception.message": message };
  if (error instanceof Error && error.stack !== undefined) event["exception.stacktrace"] = cut(error.stack);
  return { attributes: { "error.type": code }, message, event };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function cut(text: string): string {
  return text.length > SPAN_LIMITS.attributeCharsMax ? text.slice(0, SPAN_LIMITS.attributeCharsMax) : text;
}
