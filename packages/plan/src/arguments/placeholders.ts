/** Placeholders in resolved arguments: for values that a worker loads, and for values that look like placeholders. */
import { isJsonObject } from "../values/json-guards.ts";
import type { Json, JsonObject } from "../values/json.ts";

/** Placeholder in resolved arguments for a part of an output that is stored as an artifact. */
export type ArtifactValue = { readonly $artifact: string; readonly path: readonly (string | number)[] };

/**
 * Wraps, in resolved arguments, an output that itself looks like a placeholder or a reference to a secret.
 * Outputs are untrusted: one that holds an `$artifact` must not make a worker load it, and one that holds
 * `{{secret.NAME}}` must not get the secret's value.
 */
export type LiteralValue = { readonly $literal: Json };

const STAND_INS = ["$artifact", "$template", "$literal"];

/** Whether a value is wrapped as a literal, so that it is used unchanged. */
export function isLiteral(value: JsonObject): value is LiteralValue {
  return Object.hasOwn(value, "$literal") && Object.keys(value).length === 1;
}

/** Whether a resolved value contains an artifact, or a text with one in it. */
export function holdsStandIn(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsStandIn);
  if (!isJsonObject(value)) return false;
  return STAND_INS.some((key) => Object.hasOwn(value, key)) || Object.values(value).some(holdsStandIn);
}

/** Returns the placeholder for an artifact; undefined if the value is not one. */
export function asArtifactValue(value: JsonObject): ArtifactValue | undefined {
  const { $artifact, path } = value;
  if (typeof $artifact !== "string" || !Array.isArray(path)) return undefined;
  const parts = path.filter((part) => typeof part === "string" || typeof part === "number");
  return parts.length === path.length ? { $artifact, path: parts } : undefined;
}

export function artifactJson(artifact: ArtifactValue): Json {
  return { $artifact: artifact.$artifact, path: [...artifact.path] };
}

/** Formats a value for insertion into text. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
