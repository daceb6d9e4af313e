import { createHash } from "node:crypto";

/** SHA-256 of a decoded JSON value, the same for every order of its keys and whatever white space it came with. */
export function bodyHash(value: unknown): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(value, withSortedKeys) ?? "");
  return hash.digest("base64url");
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
