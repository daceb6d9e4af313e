import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { sha256 } from "./sha256.ts";

/** What an approval is bound to: SHA-256 of the arguments, the same for every order of their keys. */
export function argumentsHash(args: JsonObject): string {
  return sha256(JSON.stringify(sorted(args)));
}

/** Arguments are bounded in depth (`resolveArguments`) and in size, so that recursion is. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
