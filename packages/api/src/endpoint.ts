/** How one call of the HTTP interface is described: as data, so that servers, clients and documents read the same. */
import type { z } from "zod";
import type { ProblemCode } from "./problems.ts";

/** The groups in which the reference shows the calls. */
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

/** What a client passes unchanged. */
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
  /** Unique; the name of a generated client's method. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** `:name` stands for one segment, a final `*` for the rest of the path. */
  readonly path: string;
  /** Earlier names of the path, which answer for one release. */
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
  /** Whether a request without a body counts as one with an empty object. */
  readonly bodyOptional?: true;
  /** Bodies that the call takes besides JSON, or instead of it. */
  readonly bodyMedia?: Media;
  /** By status. */
  readonly responses: Readonly<Record<number, ResponseContent>>;
  /** The refusals that are this call's own; {@link COMMON_PROBLEMS} may come from any. */
  readonly problems?: readonly ProblemCode[];
  /** One request body and the answer of the first status in {@link responses}, as they travel. */
  readonly example?: { readonly body?: unknown; readonly response?: unknown };
};

/** Keeps the exact type of a description, from which handlers and clients are typed. */
export function defineEndpoint<const Described extends Endpoint>(endpoint: Described): Described {
  return endpoint;
}

/** Whether a body is not JSON. */
export function isMedia(content: ResponseContent): content is Media {
  return content !== null && "mediaTypes" in content;
}

/** Whether a path needs a key where the gateway has keys; health and the reference are open to everyone. */
export function isGuarded(path: string): boolean {
  return GUARDED.test(path);
}

const GUARDED = /^\/(?:v1|otlp|metrics|mcp)(?:\/|$)/;
