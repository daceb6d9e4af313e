/** Spans as OTLP sends them: in JSON, or as `otlp-protobuf.ts` has read them. */
import { z } from "zod";
import { parsePart } from "../http/parse-part.ts";
import { Attributes, attributesOf } from "./attribute-values.ts";
import { isPlainSpan } from "./plain-span.ts";
import { NAME_CHARS_MAX, NANOS } from "./span-form.ts";

/** More faults are counted, but not told. */
const FAULTS_TOLD_MAX = 5;

const Id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `wanted ${digits} hexadecimal digits`)
    .toLowerCase();
/** Nanoseconds since the epoch, which JSON numbers cannot hold. */
const Nanos = z.union([z.string().regex(NANOS), z.number().nonnegative()]).transform(String);
const Count = z.int().nonnegative().optional();

const OtlpSpan = z.object({
  traceId: Id(32),
  spanId: Id(16),
  parentSpanId: z.union([z.literal(""), Id(16)]).optional(),
  name: z.string().max(NAME_CHARS_MAX),
  kind: z.union([z.int(), z.string()]).default(0),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  droppedAttributesCount: Count,
  events: z
    .array(z.object({ name: z.string(), timeUnixNano: Nanos.default("0"), attributes: Attributes }))
    .default([]),
  droppedEventsCount: Count,
  links: z
    .array(z.object({ traceId: Id(32), spanId: Id(16), attributes: Attributes.optional() }))
    .default([]),
  droppedLinksCount: Count,
  status: z
    .object({ code: z.union([z.int(), z.string()]).default(0), message: z.string().default("") })
    .optional(),
});
export type OtlpSpan = z.output<typeof OtlpSpan>;

const OtlpTraces = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource: z.object({ attributes: Attributes }).optional(),
        scopeSpans: z.array(z.object({ spans: z.array(z.unknown()).default([]) })).default([]),
      }),
    )
    .default([]),
});

/** As it came: what it says is worked out when somebody looks at it. */
export type ReceivedSpan = OtlpSpan & { readonly service: string };

export type ReceivedSpans = {
  readonly spans: readonly ReceivedSpan[];
  /** How many were no spans. */
  readonly refused: number;
  /** What was wrong with the first of them, each with its place. */
  readonly faults: readonly string[];
};

/**
 * The spans of an OTLP request; what is no span is left out and counted. Those of our own services are recognised by
 * their form: there are many, and most are never looked at.
 *
 * @throws {Problem} `invalid_request` when the body as a whole is no such request.
 */
export function receivedSpans(body: unknown): ReceivedSpans {
  const spans: ReceivedSpan[] = [];
  const faults: string[] = [];
  let refused = 0;
  const { resourceSpans } = parsePart(OtlpTraces, body, "body");
  for (const [resourceAt, { resource, scopeSpans }] of resourceSpans.entries()) {
    const name = attributesOf(resource?.attributes ?? [])["service.name"];
    const service = typeof name === "string" ? name : "unknown";
    for (const [scopeAt, scope] of scopeSpans.entries()) {
      for (const [at, value] of scope.spans.entries()) {
        const span = isPlainSpan(value) ? value : readSpan(value);
        if (typeof span !== "string") {
          spans.push({ ...span, service });
          continue;
        }
        refused += 1;
        if (faults.length < FAULTS_TOLD_MAX)
          faults.push(`resourceSpans[${resourceAt}].scopeSpans[${scopeAt}].spans[${at}]${span}`);
      }
    }
  }
  return { spans, refused, faults };
}

/** What is wrong with it, when it is no span. */
function readSpan(value: unknown): OtlpSpan | string {
  const read = OtlpSpan.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = (issue?.path ?? []).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  return `${place.join("")}: ${issue?.message ?? "no span"}`;
}
