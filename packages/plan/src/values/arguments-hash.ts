import { canonicalJson } from "./canonical-json.ts";
import type { JsonObject } from "./json.ts";
import { sha256 } from "./sha256.ts";

/** The hash that an approval is bound to: SHA-256 of the arguments, the same for every order of their keys. */
export function argumentsHash(args: JsonObject): string {
  return sha256(canonicalJson(args));
}
