/**
 * Spans as OTLP's JSON has them (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding"), written as text straight
 * from what was recorded: for thousands of spans a second the objects between would cost more than the text.
 */
import type { SpanAttribute, SpanEvent, SpanKind, SpanRecord } from "./span.ts";
import type { TraceParent } from "./trace-parent.ts";

const KINDS: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
};
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
/** The W3C trace flags' sampled bit, and the bit that says whether a parent is remote is known: it is not. */
const FLAGS_SAMPLED = 0x101;
const FLAGS_NOT_SAMPLED = 0x100;
const NANOS_PER_MS = 1_000_000;
const NANOS_PER_SECOND = 1_000_000_000;

/** Writes the bodies of requests that export spans of one resource. */
export function createSpanWriter(resource: Readonly<Record<string, string>>) {
  const head = `{"resourceSpans":[{"resource":{"attributes":${attributesText(resource)}},"scopeSpans":[{"scope":{"name":"planwright"},"spans":[`;
  return (spans: readonly SpanRecord[]): string => `${head}${spans.map(spanText).join(",")}]}]}]}`;
}

function spanText(span: SpanRecord): string {
  const { ids, parentSpanId, name, kind, attributes, events, links, error } = span;
  const parent = parentSpanId === undefined ? "" : `,"parentSpanId":"${parentSpanId}"`;
  const status =
    error === undefined
      ? `{"code":${STATUS_UNSET}}`
      : `{"code":${STATUS_ERROR},"message":${JSON.stringify(error)}}`;
  return (
    `{"traceId":"${ids.traceId}","spanId":"${ids.spanId}"${parent},"name":${JSON.stringify(name)},"kind":${KINDS[kind]},` +
    `"startTimeUnixNano":"${nanosText(span.startTimeMs)}","endTimeUnixNano":"${nanosText(span.endTimeMs)}",` +
    `"attributes":${attributesText(attributes)},"events":[${events.map(eventText).join(",")}],` +
    `"links":[${links.map(linkText).join(",")}],"status":${status},"flags":${flagsOf(ids)}}`
  );
}

function eventText({ name, timeMs, attributes }: SpanEvent): string {
  return `{"name":${JSON.stringify(name)},"timeUnixNano":"${nanosText(timeMs)}","attributes":${attributesText(attributes)}}`;
}

function linkText(link: TraceParent): string {
  return `{"traceId":"${link.traceId}","spanId":"${link.spanId}","attributes":[],"flags":${flagsOf(link)}}`;
}

function flagsOf({ sampled }: TraceParent): number {
  return sampled ? FLAGS_SAMPLED : FLAGS_NOT_SAMPLED;
}

function attributesText(attributes: Readonly<Record<string, SpanAttribute>>): string {
  let text = "";
  for (const key in attributes) {
    const value = attributes[key];
    if (value === undefined) continue;
    text += `${text === "" ? "" : ","}{"key":${JSON.stringify(key)},"value":${valueText(value)}}`;
  }
  return `[${text}]`;
}

function valueText(value: SpanAttribute): string {
  switch (typeof value) {
    case "string":
      return `{"stringValue":${JSON.stringify(value)}}`;
    case "boolean":
      return `{"boolValue":${value}}`;
    case "number":
      if (Number.isSafeInteger(value)) return `{"intValue":${value}}`;
      return `{"doubleValue":${Number.isFinite(value) ? value : `"${nameOfNumber(value)}"`}}`;
    default:
      return `{"arrayValue":{"values":[${value.map(valueText).join(",")}]}}`;
  }
}

/** As JSON for protocol buffers names the numbers that JSON does not know. */
function nameOfNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

/** Nanoseconds since the epoch, which are more than a number can hold. */
function nanosText(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1_000);
  const nanos = Math.min(NANOS_PER_SECOND - 1, Math.round((timeMs - seconds * 1_000) * NANOS_PER_MS));
  return `${seconds}${String(nanos).padStart(9, "0")}`;
}
