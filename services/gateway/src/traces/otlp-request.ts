/** Spans as OTLP/HTTP sends them in JSON, and as the trace view takes them. */
import { z } from "zod";

const Id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `wanted ${digits} hexadecimal digits`)
    .toLowerCase();
/** Nanoseconds since the epoch, which JSON numbers cannot hold. */
const Nanos = z.union([z.string().regex(/^\d{1,20}$/), z.number().nonnegative()]).transform(String);

/** Deeper lists are cut off. */
const LIST_DEPTH_MAX = 4;

const Attributes = z
  .array(z.object({ key: z.string(), value: z.unknown() }))
  .default([])
  .transform((pairs) =>
    Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value, LIST_DEPTH_MAX)])),
  );

const OtlpSpan = z.object({
  traceId: Id(32),
  spanId: Id(16),
  parentSpanId: z.union([z.literal(""), Id(16)]).optional(),
  name: z.string().max(1_024),
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

export const OtlpTraces = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource: z.object({ attributes: Attributes }).optional(),
        scopeSpans: z.array(z.object({ spans: z.array(OtlpSpan).default([]) })).default([]),
      }),
    )
    .default([]),
});

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

/** Every span of a request, with the name of its service. */
export function spansOf({ resourceSpans }: z.output<typeof OtlpTraces>): TraceSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource?.attributes["service.name"];
    const service = typeof name === "string" ? name : "unknown";
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => shownSpan(span, service)));
  });
}

function shownSpan(span: z.output<typeof OtlpSpan>, service: string): TraceSpan {
  const { kind, parentSpanId, status, ...rest } = span;
  return {
    ...rest,
    ...(parentSpanId === undefined || parentSpanId === "" ? {} : { parentSpanId }),
    service,
    kind: wordOf(KINDS, kind, "SPAN_KIND_"),
    status: wordOf(STATUSES, status?.code ?? 0, "STATUS_CODE_"),
    ...(status === undefined || status.message === "" ? {} : { statusMessage: status.message }),
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
