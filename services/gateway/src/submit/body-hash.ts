import { canonicalJson } from "@planwright/plan";
import { createHash } from "node:crypto";

/** SHA-256 of a decoded JSON value, the same for every order of its keys and whatever white space it came with. */
export function bodyHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}
