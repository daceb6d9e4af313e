/** Spans: those of one plan, and the receiver for new ones. */
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { PlanPath } from "../plan-ids.ts";

export const SPAN_KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"] as const;
export const SPAN_STATUSES = ["unset", "ok", "error"] as const;

const Attributes = z.record(z.string(), z.unknown());
const Nanoseconds = z
  .string()
  .meta({ description: "Nanoseconds since the epoch, too large for a JSON number." });

export const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  service: z.string(),
  kind: z.enum(SPAN_KINDS),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  events: z.array(z.object({ name: z.string(), timeUnixNano: Nanoseconds, attributes: Attributes })),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string(), attributes: Attributes.optional() })),
  status: z.enum(SPAN_STATUSES),
  statusMessage: z.string().optional(),
  dropped: z
    .object({ attributes: z.number(), events: z.number(), links: z.number() })
    .optional()
    .meta({ description: "What the sender omitted from this span; absent if nothing." }),
});
export type Span = z.output<typeof Span>;

export const Trace = z.object({
  traceId: z.string(),
  sampled: z
    .boolean()
    .meta({ description: "Whether the complete plan is traced. Otherwise, only failures are." }),
  keptSince: z.iso
    .datetime()
    .meta({ description: "Earlier spans are missing, because spans are kept in memory." }),
  dropped: z.int().meta({ description: "Number of spans that were dropped because the trace has too many." }),
  evicted: z
    .boolean()
    .meta({ description: "Whether spans of the trace were evicted to make room for others." }),
  spans: z.array(Span).meta({ description: "The spans, in order of their start times." }),
});
export type Trace = z.output<typeof Trace>;

export const getTrace = defineEndpoint({
  id: "getTrace",
  method: "GET",
  path: "/v1/plans/:planId/trace",
  tag: "traces",
  summary: "Get the trace of a plan",
  description: "Returns only the spans of this plan, even if other plans have the same trace.",
  params: PlanPath,
  responses: { 200: Trace },
  problems: ["plan_not_found"],
});

export const OTLP_MEDIA = ["application/x-protobuf", "application/json"] as const;

/** `ExportTraceServiceResponse`. */
export const OtlpAnswer = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.string(), errorMessage: z.string() })
    .optional()
    .meta({ description: "Present only if spans were rejected." }),
});

export const receiveTraces = defineEndpoint({
  id: "receiveTraces",
  method: "POST",
  path: "/otlp/v1/traces",
  tag: "traces",
  summary: "Receive spans (OTLP/HTTP, plain or gzip)",
  description: "The response has the format of the request.",
  bodyMedia: { mediaTypes: OTLP_MEDIA, description: "`ExportTraceServiceRequest`." },
  responses: { 200: OtlpAnswer },
  problems: [
    "malformed_protobuf",
    "malformed_json",
    "unsupported_media_type",
    "body_too_large",
    "invalid_data",
  ],
});
