/** Spans as OTLP/HTTP sends them in JSON, and as the trace view takes them. */
import { z } from "zod";
import { parsePart } from "../http/parse-part.ts";
import { isPlainSpan } from "./plain-span.ts";
import { NAME_CHARS_MAX, NANOS } from "./span-form.ts";

const Id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `wanted ${digits} hexadecimal digits`)
    .toLowerCase();
/** Nanoseconds since the epoch, which JSON numbers cannot hold. */
const Nanos = z.union([z.string().regex(NANOS), z.number().nonnegative()]).transform(String);

/** Deeper lists are cut off. */
const LIST_DEPTH_MAX = 4;

const Attributes = z.array(z.object({ key: z.string(), value: z.unknown() })).default([]);
type Attributes = z.output<typeof Attributes>;

const OtlpSpan = z.object({
  traceId: Id(32),
  spanId: Id(16),
  parentSpanId: z.union([z.literal(""), Id(16)]).optional(),
  name: z.string().max(NAME_CHARS_MAX),
  kind: z.union([z.int(), z.string()]).default(0),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  events: z
    .array(z.object({ name: z.string(), timeUnixNano: Nanos.default("0"), attributes: Attributes }))
    .default([]),
  links: z.array(z.object({ traceId: Id(32), spanId: Id(16) })).default([]),
  status: z
    .object({ code: z.union([z.int(), z.string()]).default(0), message: z.string().default("") })
    .optional(),
});

const envelopeOf = <Span extends z.ZodType>(span: Span) =>
  z.object({
    resourceSpans: z
      .array(
        z.object({
          resource: z.object({ attributes: Attributes }).optional(),
          scopeSpans: z.array(z.object({ spans: z.array(span).default([]) })).default([]),
        }),
      )
      .default([]),
  });
const OtlpTraces = envelopeOf(OtlpSpan);
const UnreadTraces = envelopeOf(z.unknown());
export type OtlpSpan = z.output<typeof OtlpSpan>;

/** As it came: what it says is worked out when somebody looks at it. */
export type ReceivedSpan = OtlpSpan & { readonly service: string };

/**
 * The spans of an OTLP request. Those of our own services are recognised by their form: there are many, and most are
 * never looked at.
 *
 * @throws {Problem} `invalid_request` with every fault.
 */
export function receivedSpans(body: unknown): ReceivedSpan[] {
  const unread = UnreadTraces.safeParse(body).data;
  const read = unread === undefined ? undefined : readSpans(unread);
  return read ?? readSpans(parsePart(OtlpTraces, body, "body")) ?? [];
}

/** Undefined when one of them is no span. */
function readSpans({ resourceSpans }: z.output<typeof UnreadTraces>): ReceivedSpan[] | undefined {
  const received: ReceivedSpan[] = [];
  for (const { resource, scopeSpans } of resourceSpans) {
    const name = attributesOf(resource?.attributes ?? [])["service.name"];
    const service = typeof name === "string" ? name : "unknown";
    for (const value of scopeSpans.flatMap(({ spans }) => spans)) {
      const span = isPlainSpan(value) ? value : OtlpSpan.safeParse(value).data;
      if (span === undefined) return undefined;
      received.push({ ...span, service });
    }
  }
  return received;
}

function attributesOf(pairs: Attributes): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value, LIST_DEPTH_MAX)]));
}

/** What `{"stringValue": "x"}` and its like stand for; null for what is none of them. By hand: there are many. */
function plainValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return null;
  const [kind] = Object.keys(value);
  const content: unknown = Object.values(value)[0];
  switch (kind) {
    case "stringValue":
      return typeof content === "string" ? content : null;
    case "boolValue":
      return typeof content === "boolean" ? content : null;
    case "intValue":
    case "doubleValue":
      return Number.isFinite(Number(content)) ? Number(content) : null;
    case "arrayValue":
      return listOf(content).map((one) => plainValue(one, depth - 1));
    default:
      return null;
  }
}

function listOf(content: unknown): readonly unknown[] {
  if (typeof content !== "object" || content === null || !("values" in content)) return [];
  return Array.isArray(content.values) ? content.values : [];
}

const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"] as const;
const STATUSES = ["unset", "ok", "error"] as const;

/** A span as the trace view shows it. */
export const TraceSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  service: z.string(),
  kind: z.enum(KINDS),
  /** Nanoseconds since the epoch, too large for a number. */
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  events: z.array(
    z.object({ name: z.string(), timeUnixNano: z.string(), attributes: z.record(z.string(), z.unknown()) }),
  ),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })),
  status: z.enum(STATUSES),
  statusMessage: z.string().optional(),
});
export type TraceSpan = z.output<typeof TraceSpan>;

/** What a span says. */
export function shownSpan(span: ReceivedSpan): TraceSpan {
  const {
    traceId,
    spanId,
    parentSpanId,
    name,
    service,
    kind,
    startTimeUnixNano,
    endTimeUnixNano,
    links,
    status,
  } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined || parentSpanId === "" ? {} : { parentSpanId }),
    name,
    service,
    kind: wordOf(KINDS, kind, "SPAN_KIND_"),
    startTimeUnixNano,
    endTimeUnixNano,
    attributes: attributesOf(span.attributes),
    events: span.events.map((event) => ({ ...event, attributes: attributesOf(event.attributes) })),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    status: wordOf(STATUSES, status?.code ?? 0, "STATUS_CODE_"),
    ...(status?.message ? { statusMessage: status.message } : {}),
  };
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
