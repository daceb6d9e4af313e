/** Names that can be written in SQL without quotes. */
import type { DatabaseSync } from "node:sqlite";

const NAME_CHARS_MAX = 60;
/** Word boundaries in `unitPrice`, `OrderID` and `URLPath`; `pH`, `kWh` and `eMail` are single words. */
const CAMEL = /(?<=\p{Ll}{2}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu;

/**
 * A unique name for each title, in the titles' order: `Unit price (€)` and `unitPrice` become `unit_price`.
 *
 * @param fallback - Prefix for a title of which nothing is left, followed by its position from 1.
 */
export function toIdentifiers(
  database: DatabaseSync,
  titles: readonly string[],
  fallback: string,
): readonly string[] {
  const taken = new Set<string>();
  return titles.map((title, index) => {
    const words = title
      .normalize("NFC")
      .replaceAll(CAMEL, "_")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
      .replaceAll(/^_+|_+$/g, "");
    let name = words === "" ? `${fallback}_${index + 1}` : words.slice(0, NAME_CHARS_MAX);
    // SQLite reserves names with its own prefix.
    if (/^(\p{N}|sqlite_)/u.test(name)) name = `_${name}`;
    if (isReserved(database, name)) name = `${name}_`;
    const unique = firstFree(name, taken);
    taken.add(unique);
    return unique;
  });
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Asks SQLite itself, because its keywords depend on its version. */
function isReserved(database: DatabaseSync, name: string): boolean {
  try {
    database.prepare(`SELECT t.${name}, ${name} FROM (SELECT 1 AS ${quote(name)}) t`);
    return false;
  } catch {
    return true;
  }
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let count = 2; taken.has(unique); count += 1) unique = `${name}_${count}`;
  return unique;
}
