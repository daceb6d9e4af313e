import { isJsonObject, type Json } from "@planwright/plan";

export type ShortJson = {
  readonly value: Json;
  /** What was omitted, as a sentence; absent when the value is complete. */
  readonly note?: string;
};

/** Tried in order: the number of list entries and of characters per text to keep. */
const CUTS = [
  { entries: 200, chars: 4_000 },
  { entries: 100, chars: 1_500 },
  { entries: 50, chars: 800 },
  { entries: 20, chars: 400 },
  { entries: 10, chars: 200 },
  { entries: 5, chars: 120 },
] as const;

/**
 * Shortens a value for a prompt: unchanged if its JSON has at most `charsMax` characters, otherwise with shortened lists and
 * texts, so that it keeps its shape; as a last resort, the start of its JSON as text.
 */
export function shortenJson(value: Json, charsMax: number): ShortJson {
  const whole = JSON.stringify(value);
  if (whole.length <= charsMax) return { value };
  for (const cut of CUTS) {
    const shorter = cutTo(value, cut);
    if (JSON.stringify(shorter).length > charsMax) continue;
    const kept = `lists are cut to ${cut.entries} entries and texts to ${cut.chars} characters`;
    return { value: shorter, note: `${kept}; the whole has ${whole.length} characters of JSON` };
  }
  const start = whole.slice(0, Math.max(0, charsMax));
  const note = `only the first ${start.length} of ${whole.length} characters of its JSON, as text`;
  return { value: start, note };
}

function cutTo(value: Json, cut: { readonly entries: number; readonly chars: number }): Json {
  if (typeof value === "string") return value.length <= cut.chars ? value : `${value.slice(0, cut.chars)}…`;
  if (Array.isArray(value)) return value.slice(0, cut.entries).map((entry) => cutTo(entry, cut));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cutTo(entry, cut)]));
}
