/** A span as the trace view shows it: worked out when somebody looks, for most are never looked at. */
import { z } from "zod";
import { attributesOf } from "./attribute-values.ts";
import type { ReceivedSpan } from "./otlp-request.ts";

const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"] as const;
const STATUSES = ["unset", "ok", "error"] as const;
const Shown = z.record(z.string(), z.unknown());

export const TraceSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  service: z.string(),
  kind: z.enum(KINDS),
  startTimeUnixNano: z.string().meta({ description: "Nanoseconds since the epoch, too large for a number." }),
  endTimeUnixNano: z.string(),
  attributes: Shown,
  events: z.array(z.object({ name: z.string(), timeUnixNano: z.string(), attributes: Shown })),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string(), attributes: Shown.optional() })),
  status: z.enum(STATUSES),
  statusMessage: z.string().optional(),
  dropped: z
    .object({ attributes: z.number(), events: z.number(), links: z.number() })
    .optional()
    .meta({ description: "What the sender left out of this span; absent when it left nothing out." }),
});
export type TraceSpan = z.output<typeof TraceSpan>;

/** What a span says. */
export function shownSpan(span: ReceivedSpan): TraceSpan {
  const { traceId, spanId, parentSpanId, name, service, startTimeUnixNano, endTimeUnixNano, status } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined || parentSpanId === "" ? {} : { parentSpanId }),
    name,
    service,
    kind: wordOf(KINDS, span.kind, "SPAN_KIND_"),
    startTimeUnixNano,
    endTimeUnixNano,
    attributes: attributesOf(span.attributes),
    events: span.events.map((event) => ({
      name: event.name,
      timeUnixNano: event.timeUnixNano,
      attributes: attributesOf(event.attributes),
    })),
    links: span.links.map(shownLink),
    status: wordOf(STATUSES, status?.code ?? 0, "STATUS_CODE_"),
    ...(status?.message ? { statusMessage: status.message } : {}),
    ...droppedBy(span),
  };
}

function shownLink({
  traceId,
  spanId,
  attributes,
}: ReceivedSpan["links"][number]): TraceSpan["links"][number] {
  const pairs = attributes ?? [];
  return { traceId, spanId, ...(pairs.length === 0 ? {} : { attributes: attributesOf(pairs) }) };
}

function droppedBy(span: ReceivedSpan): Pick<TraceSpan, "dropped"> {
  const attributes = span.droppedAttributesCount ?? 0;
  const events = span.droppedEventsCount ?? 0;
  const links = span.droppedLinksCount ?? 0;
  return attributes + events + links > 0 ? { dropped: { attributes, events, links } } : {};
}

/** Enumerations come as numbers; some senders spell them out. */
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
