/** The lengths of the lists in an output: recorded for an output that is stored as a file, whose content is not in the plan. */
import type { Json } from "./json.ts";
import { isJsonObject } from "./json-guards.ts";

const LEVELS_MAX = 3;
const LISTS_MAX = 20;
const KEY = /^[\w-]{1,64}$/;

/** The name of a path in an output: `data.rows`, or empty for the whole; undefined for anything inside a list. */
export function listName(path: readonly (string | number)[]): string | undefined {
  return path.every((part) => typeof part === "string" && KEY.test(part)) ? path.join(".") : undefined;
}

/** The lists of an output by name, those near the top first; undefined if there are none. */
export function listsIn(output: Json): Readonly<Record<string, number>> | undefined {
  const found = new Map<string, number>();
  let level: { readonly path: readonly string[]; readonly value: Json }[] = [{ path: [], value: output }];
  for (let depth = 0; depth <= LEVELS_MAX && level.length > 0; depth++) {
    const below: typeof level = [];
    for (const { path, value } of level) {
      const name = listName(path);
      if (name === undefined || found.size >= LISTS_MAX) continue;
      if (Array.isArray(value)) found.set(name, value.length);
      else if (isJsonObject(value) && below.length < LISTS_MAX) {
        for (const [key, inner] of Object.entries(value)) below.push({ path: [...path, key], value: inner });
      }
    }
    level = below;
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}
