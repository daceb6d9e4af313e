/**
 * Learns from a compatible server's refusals what it does not support.
 *
 * Servers that speak OpenAI's protocol differ in what they accept. A request that is refused because of one
 * of the features below is sent again with fewer features, and the combination that worked is remembered.
 */
import { finalFaultOf } from "./classify-failure.ts";

/** The optional features of a request, as far as the server supports them. */
export type Features = {
  /** How structured output is requested; `none` leaves it to the instructions. */
  readonly format: "json_schema" | "json_object" | "none";
  /** Whether to request the usage at the end of a stream. */
  readonly streamUsage: boolean;
  readonly temperature: boolean;
  readonly reasoningEffort: boolean;
  readonly tokenLimit: "max_tokens" | "max_completion_tokens" | "none";
};

/** The features that one request uses. */
export type FeaturesUsed = { readonly [Name in keyof Features]: boolean };

/** A server's refusal of a request. */
export type Refusal = {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
};

const REFUSAL_STATUSES = new Set([400, 422, 501]);

/** A server that fails to compile a schema may answer with 500. */
const ABOUT_FORMAT = /schema|grammar|format/i;

const NEXT_FORMAT = { json_schema: "json_object", json_object: "none", none: "none" } as const;

/** OpenAI's newer models accept only the newer name; most other servers only the older one. */
export function featuresAtFirst({ official }: { readonly official: boolean }): Features {
  return {
    format: "json_schema",
    streamUsage: true,
    temperature: true,
    reasoningEffort: true,
    tokenLimit: official ? "max_completion_tokens" : "max_tokens",
  };
}

/**
 * Returns the features to try next after a refusal; undefined when the refusal does not concern a feature in use.
 *
 * A message that names no feature is first attributed to the output format: small servers
 * refuse anything unknown with a bare "bad request".
 */
export function withoutRefused(
  features: Features,
  used: FeaturesUsed,
  refusal: Refusal,
): Features | undefined {
  if (finalFaultOf(refusal) !== undefined) return undefined;
  if (used.format && refusal.status === 500 && ABOUT_FORMAT.test(refusal.message))
    return lessFormat(features);
  if (!REFUSAL_STATUSES.has(refusal.status)) return undefined;
  const { message } = refusal;
  if (used.streamUsage && /stream_options|include_usage/i.test(message))
    return { ...features, streamUsage: false };
  if (used.tokenLimit && /max_(completion_)?tokens/i.test(message)) return otherTokenLimit(features);
  if (used.reasoningEffort && /reasoning/i.test(message)) return { ...features, reasoningEffort: false };
  if (used.temperature && /temperature/i.test(message)) return { ...features, temperature: false };
  if (used.format) return lessFormat(features);
  if (used.streamUsage) return { ...features, streamUsage: false };
  return undefined;
}

/** Returns the features to try next after a server failed twice in the same way with a required format. */
export function lessFormat(features: Features): Features {
  return { ...features, format: NEXT_FORMAT[features.format] };
}

/** Whether two failures of a server are the same, except for numbers such as request ids. */
export function isSameFailure(one: Refusal | undefined, other: Refusal): boolean {
  return one !== undefined && one.status === other.status && gist(one.message) === gist(other.message);
}

function gist(message: string): string {
  return message.replaceAll(/[\da-f-]{6,}|\d+/gi, "");
}

function otherTokenLimit(features: Features): Features {
  const next = features.tokenLimit === "max_completion_tokens" ? "max_tokens" : "none";
  return { ...features, tokenLimit: features.tokenLimit === "max_tokens" ? "max_completion_tokens" : next };
}
