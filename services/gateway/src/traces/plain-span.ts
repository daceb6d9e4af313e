import type { OtlpSpan } from "./otlp-request.ts";
import { NAME_CHARS_MAX, NANOS, SPAN_ID, TRACE_ID } from "./span-form.ts";

/** Whether a span has the form that our services send, without events: a schema would not check more. */
export function isPlainSpan(value: unknown): value is OtlpSpan {
  if (!isObject(value)) return false;
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano } = value;
  const { attributes, events, links, status } = value;
  const { droppedAttributesCount, droppedEventsCount, droppedLinksCount } = value;
  return (
    isText(traceId, TRACE_ID) &&
    isText(spanId, SPAN_ID) &&
    (parentSpanId === undefined || isText(parentSpanId, SPAN_ID)) &&
    typeof name === "string" &&
    name.length <= NAME_CHARS_MAX &&
    Number.isInteger(kind) &&
    isText(startTimeUnixNano, NANOS) &&
    isText(endTimeUnixNano, NANOS) &&
    arePlainAttributes(attributes) &&
    isEmptyList(events) &&
    [droppedAttributesCount, droppedEventsCount, droppedLinksCount].every(isCountOrAbsent) &&
    arePlainLinks(links) &&
    isObject(status) &&
    Number.isInteger(status["code"]) &&
    (status["message"] === undefined || typeof status["message"] === "string")
  );
}

function arePlainAttributes(value: unknown): boolean {
  return Array.isArray(value) && value.every((pair) => isObject(pair) && typeof pair["key"] === "string");
}

function arePlainLinks(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (link) => isObject(link) && isText(link["traceId"], TRACE_ID) && isText(link["spanId"], SPAN_ID),
    )
  );
}

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}

function isCountOrAbsent(value: unknown): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= 0);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
