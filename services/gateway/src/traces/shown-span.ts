/** A span as the trace view shows it. */
import { type Span, SPAN_KINDS, SPAN_STATUSES } from "@planwright/api";
import { attributesOf, type ReceivedSpan } from "./otlp-request.ts";

/** The content of a span. */
export function shownSpan(span: ReceivedSpan): Span {
  const { traceId, spanId, parentSpanId, name, service, startTimeUnixNano, endTimeUnixNano, status } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined || parentSpanId === "" ? {} : { parentSpanId }),
    name,
    service,
    kind: wordOf(SPAN_KINDS, span.kind, "SPAN_KIND_"),
    startTimeUnixNano,
    endTimeUnixNano,
    attributes: attributesOf(span.attributes),
    events: span.events.map((event) => ({
      name: event.name,
      timeUnixNano: event.timeUnixNano,
      attributes: attributesOf(event.attributes),
    })),
    links: span.links.map(shownLink),
    status: wordOf(SPAN_STATUSES, status?.code ?? 0, "STATUS_CODE_"),
    ...(status?.message ? { statusMessage: status.message } : {}),
    ...droppedBy(span),
  };
}

function shownLink({ traceId, spanId, attributes }: ReceivedSpan["links"][number]): Span["links"][number] {
  const pairs = attributes ?? [];
  return { traceId, spanId, ...(pairs.length === 0 ? {} : { attributes: attributesOf(pairs) }) };
}

function droppedBy(span: ReceivedSpan): Pick<Span, "dropped"> {
  const attributes = span.droppedAttributesCount ?? 0;
  const events = span.droppedEventsCount ?? 0;
  const links = span.droppedLinksCount ?? 0;
  return attributes + events + links > 0 ? { dropped: { attributes, events, links } } : {};
}

/** Enumerations are sent as numbers; some senders spell them out. */
function wordOf<Word extends string>(
  words: readonly [Word, ...Word[]],
  value: number | string,
  prefix: string,
): Word {
  const word =
    typeof value === "number"
      ? words[value]
      : words.find((one) => `${prefix}${one.toUpperCase()}` === value.toUpperCase());
  return word ?? words[0];
}
