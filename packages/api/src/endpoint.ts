/** How an HTTP call is described: as data, so that servers, clients and documents all use the same description. */
import type { z } from "zod";
import type { ProblemCode } from "./problems.ts";

/** The groups of calls in the reference. */
export const TAGS = {
  plans: "Submit, watch and control plans",
  approvals: "Decide what waits for a reviewer",
  data: "Data sources that plans can query",
  "dead letters": "Failed deliveries: inspect, retry, discard",
  keys: "Keys of the tenant with their roles, and the audit log",
  traces: "Spans of plans, and the OTLP receiver",
  system: "Tools, workers, metrics and health",
  live: "WebSocket",
} as const;
export type Tag = keyof typeof TAGS;

/** A value that the client does not change. */
export type DeepReadonly<Value> = Value extends readonly (infer Entry)[]
  ? readonly DeepReadonly<Entry>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** A body that is not JSON. */
export type Media = { readonly mediaTypes: readonly string[]; readonly description: string };

/** The content of a response: JSON by a schema, other media, or nothing. */
export type ResponseContent = z.ZodType | Media | null;

export type Endpoint = {
  /** Unique; also the method name in a generated client. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** `:name` stands for one segment, a final `*` for the rest of the path. */
  readonly path: string;
  /** Earlier paths, which still work for one release. */
  readonly oldPaths?: readonly string[];
  readonly tag: Tag;
  /** One imperative phrase. */
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  /** The JSON body. */
  readonly body?: z.ZodType;
  /** Whether a missing body is treated as an empty object. */
  readonly bodyOptional?: true;
  /** Bodies that the call accepts in addition to JSON, or instead of it. */
  readonly bodyMedia?: Media;
  /** By status. */
  readonly responses: Readonly<Record<number, ResponseContent>>;
  /** Refusals specific to this call; {@link COMMON_PROBLEMS} may come from any call. */
  readonly problems?: readonly ProblemCode[];
  /** A request body and the response with the first status in {@link responses}, as sent over the wire. */
  readonly example?: { readonly body?: unknown; readonly response?: unknown };
};

/** Keeps the exact type of a description, from which handlers and clients derive their types. */
export function defineEndpoint<const Described extends Endpoint>(endpoint: Described): Described {
  return endpoint;
}

/** Whether a body is not JSON. */
export function isMedia(content: ResponseContent): content is Media {
  return content !== null && "mediaTypes" in content;
}

/** Whether a path requires a key when the gateway has keys; health and the reference are always public. */
export function isGuarded(path: string): boolean {
  return GUARDED.test(path);
}

const GUARDED = /^\/(?:v1|otlp|metrics|mcp)(?:\/|$)/;
