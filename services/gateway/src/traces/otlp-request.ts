/** Spans as sent over OTLP: in JSON, or as read by `otlp-protobuf.ts`. */
import { z } from "zod";
import { parsePart } from "../http/parse-part.ts";

/**
 * A list with a maximum length, empty when absent. A longer one is refused before its entries are checked: a fault for each of
 * millions of entries would exhaust memory.
 */
function listOf<Entry extends z.ZodType>(Entry: Entry, max: number) {
  return z.array(z.unknown()).max(max).pipe(z.array(Entry)).default([]);
}

/** The maximum for a span, an event, a link or a resource; OpenTelemetry's own limit is 128. */
const ATTRIBUTES_MAX = 1_000;
/** Deeper lists and maps are cut off. */
const DEPTH_MAX = 4;

/** Attributes as OTLP carries them, and as the trace view shows them. */
export const Attributes = listOf(z.object({ key: z.string(), value: z.unknown() }), ATTRIBUTES_MAX);
export type Attributes = z.output<typeof Attributes>;

export function attributesOf(pairs: Attributes): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value, DEPTH_MAX)]));
}

/** The value of `{"stringValue": "x"}` and similar forms; null for anything else. Written by hand for speed: there are many. */
function plainValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return null;
  const [kind] = Object.keys(value);
  const content: unknown = Object.values(value)[0];
  switch (kind) {
    case "stringValue":
    // Base64 in JSON.
    case "bytesValue":
      return typeof content === "string" ? content : null;
    case "boolValue":
      return typeof content === "boolean" ? content : null;
    case "intValue":
    case "doubleValue":
      return Number.isFinite(Number(content)) ? Number(content) : null;
    case "arrayValue":
      return valuesIn(content).map((one) => plainValue(one, depth - 1));
    case "kvlistValue":
      return Object.fromEntries(valuesIn(content).flatMap((pair) => plainPair(pair, depth - 1)));
    default:
      return null;
  }
}

function plainPair(pair: unknown, depth: number): [string, unknown][] {
  if (typeof pair !== "object" || pair === null || !("key" in pair) || typeof pair.key !== "string")
    return [];
  return [[pair.key, plainValue("value" in pair ? pair.value : null, depth)]];
}

function valuesIn(content: unknown): readonly unknown[] {
  if (typeof content !== "object" || content === null || !("values" in content)) return [];
  return Array.isArray(content.values) ? content.values : [];
}

const NAME_CHARS_MAX = 1_024;
/** Nanoseconds since the epoch. */
const NANOS = /^\d{1,20}$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;

/** Further faults are counted but not reported. */
const FAULTS_TOLD_MAX = 5;
/** The maximum per request; exporters send hundreds, collectors thousands. */
const SPANS_OF_A_REQUEST_MAX = 20_000;
/** Describing more faults than this takes too long. */
const SPANS_REFUSED_MAX = 1_000;
/** The maximum number of events, and of links, of one span; OpenTelemetry's own limit is 128. */
const PARTS_OF_A_SPAN_MAX = 1_000;
/** The maximum length of an enumeration's spelling. */
const WORD_CHARS_MAX = 64;

const Id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `wanted ${digits} hexadecimal digits`)
    .toLowerCase();
/** Nanoseconds since the epoch, which JSON numbers cannot hold. */
const Nanos = z.union([z.string().regex(NANOS), z.number().nonnegative()]).transform(String);
const Count = z.int().nonnegative().optional();
const Enumerated = z.union([z.int(), z.string().max(WORD_CHARS_MAX)]).default(0);

const OtlpEvent = z.object({ name: z.string(), timeUnixNano: Nanos.default("0"), attributes: Attributes });
const OtlpLink = z.object({ traceId: Id(32), spanId: Id(16), attributes: Attributes.optional() });
const OtlpSpan = z.object({
  traceId: Id(32),
  spanId: Id(16),
  parentSpanId: z.union([z.literal(""), Id(16)]).optional(),
  name: z.string().max(NAME_CHARS_MAX),
  kind: Enumerated,
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  droppedAttributesCount: Count,
  events: listOf(OtlpEvent, PARTS_OF_A_SPAN_MAX),
  droppedEventsCount: Count,
  links: listOf(OtlpLink, PARTS_OF_A_SPAN_MAX),
  droppedLinksCount: Count,
  status: z.object({ code: Enumerated, message: z.string().default("") }).optional(),
});
type OtlpSpan = z.output<typeof OtlpSpan>;

const OtlpTraces = z.object({ resourceSpans: listOf(z.unknown(), SPANS_OF_A_REQUEST_MAX) });
const ScopeSpans = z.object({ spans: z.array(z.unknown()).default([]) });
const ResourceSpans = z.object({
  resource: z.object({ attributes: Attributes }).optional(),
  scopeSpans: listOf(ScopeSpans, SPANS_OF_A_REQUEST_MAX),
});

/** As received. */
export type ReceivedSpan = OtlpSpan & { readonly service: string };

type ReceivedSpans = {
  readonly spans: readonly ReceivedSpan[];
  /** The number of invalid spans. */
  readonly refused: number;
  /** The faults of the first of them, each with its position. */
  readonly faults: readonly string[];
};

/**
 * The spans of an OTLP request; invalid ones are dropped and counted. Spans of our own services are recognised by their form,
 * without the schema: there are many, and most are never viewed.
 *
 * @throws {Problem} `invalid_request` when the body as a whole is not an OTLP request.
 */
export function receivedSpans(body: unknown): ReceivedSpans {
  const spans: ReceivedSpan[] = [];
  const faults: string[] = [];
  let refused = 0;
  const refuse = (place: string, fault: string): void => {
    refused += 1;
    if (faults.length < FAULTS_TOLD_MAX) faults.push(place + fault);
  };
  const { resourceSpans } = parsePart(OtlpTraces, body, "body");
  for (const [resourceAt, one] of resourceSpans.entries()) {
    const { resource, scopeSpans } = parsePart(ResourceSpans, one, `resourceSpans[${resourceAt}]`);
    const service = serviceOf(resource?.attributes ?? []);
    for (const [scopeAt, scope] of scopeSpans.entries()) {
      for (const [at, value] of scope.spans.entries()) {
        const isTooMany = spans.length >= SPANS_OF_A_REQUEST_MAX || refused >= SPANS_REFUSED_MAX;
        const span = isTooMany ? TOO_MANY : isPlainSpan(value) ? value : readSpan(value);
        if (typeof span !== "string") spans.push({ ...span, service });
        else refuse(`resourceSpans[${resourceAt}].scopeSpans[${scopeAt}].spans[${at}]`, span);
      }
    }
  }
  return { spans, refused, faults };
}

const TOO_MANY = `: a request may contain max ${SPANS_OF_A_REQUEST_MAX} spans, of which max ${SPANS_REFUSED_MAX} may be invalid; the rest is ignored`;

function serviceOf(attributes: Attributes): string {
  const name = attributesOf(attributes)["service.name"];
  return typeof name === "string" && name.length <= NAME_CHARS_MAX ? name : "unknown";
}

/** The fault of an invalid span. */
function readSpan(value: unknown): OtlpSpan | string {
  const read = OtlpSpan.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = (issue?.path ?? []).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  return `${place.join("")}: ${issue?.message ?? "no span"}`;
}

/** Whether a span has the form that our services send, without events: the schema would check nothing more. */
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
