/** Finds JSON in text that should be nothing but JSON; mistakes such as raw line breaks in strings are fixed. */
import { parseLenientJson } from "@planwright/plan";
import { z } from "zod";

/** The readable text found in a reply that should be JSON with a `text` and is not. */
export type SalvagedText = {
  readonly text: string;
  /** The reply ends inside the text. The text then ends with its last word that is certainly complete. */
  readonly isCut: boolean;
};

const WithText = z.object({ text: z.string() });
/** The `text` of JSON that was cut off or is malformed elsewhere, and its closing quote if there is one. */
const TEXT_FIELD = /"text"\s*:\s*"(?<text>(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*)(?<close>"?)/;

/**
 * Returns the readable text in a reply that is not the requested JSON; undefined when there is none.
 *
 * @param reply - With `finishReason` `length`, the end of the text may be incomplete.
 */
export function salvageText(reply: {
  readonly text: string;
  readonly finishReason?: string;
}): SalvagedText | undefined {
  const said = reply.text.trim();
  const found = WithText.safeParse(extractJson(said)?.value);
  if (found.success) return whole(found.data.text);
  const isLimited = reply.finishReason === "length";
  if (!/^(?:```\w*\s*)?[{[]/.test(said)) return isLimited ? cut(said) : whole(said);
  const { text, close } = TEXT_FIELD.exec(said)?.groups ?? {};
  if (text === undefined) return undefined;
  const read = z.string().parse(JSON.parse(`"${text}"`));
  return close === '"' ? whole(read) : cut(read);
}

function whole(text: string): SalvagedText | undefined {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : { text: trimmed, isCut: false };
}

/** Drops the last word, which may be incomplete: "It is 4" may be the start of "It is 42". */
function cut(text: string): SalvagedText | undefined {
  const kept = text.replace(/\s*\S*$/, "").trim();
  return kept === "" ? undefined : { text: kept, isCut: true };
}

/** Braces to try as the start of the value; prose has few. */
const STARTS_MAX = 16;
/** How JSON continues after its first bracket; prose such as `{name}` or `[see below` does not. */
const JSON_BEGINS = /^(?:\{\s*(?:"|$)|\[\s*(?:["{[\d-]|true|false|null|$))/;
const BEGINNING_CHARS = 200;

/**
 * Returns the first JSON object or array in a text: the whole text, or inside a code fence, or after prose.
 *
 * The value is wrapped, since it can be `null`.
 */
export function extractJson(text: string): { readonly value: unknown } | undefined {
  const said = trimmed(text);
  const whole = parse(said);
  if (whole !== undefined) return whole;
  for (const [, fenced = ""] of said.matchAll(/```[\w-]*\s*\n([\s\S]*?)```/g)) {
    const value = parse(fenced.trim());
    if (isContainer(value)) return value;
  }
  return embedded(said);
}

/** Whether a text is one JSON value and nothing else, either bare or in a closed code fence. */
export function isWholeJson(text: string): boolean {
  const said = trimmed(text);
  const fenced = /^```[\w-]*\s*\n([\s\S]*?)```$/.exec(said)?.[1];
  return parse(fenced?.trim() ?? said) !== undefined;
}

/** Also removes a byte order mark, which is not part of the value. */
function trimmed(text: string): string {
  return text.replace(/^\uFEFF/, "").trim();
}

function embedded(text: string): { readonly value: unknown } | undefined {
  const starts = [...text.matchAll(/[{[]/g)].slice(0, STARTS_MAX);
  let after = 0;
  for (const { index } of starts) {
    if (index < after) continue;
    const end = endOfValue(text, index);
    if (end === undefined) {
      // Truncated JSON: a value inside it is not the intended one.
      if (JSON_BEGINS.test(text.slice(index, index + BEGINNING_CHARS))) return undefined;
      continue;
    }
    const value = parse(text.slice(index, end));
    if (value !== undefined) return value;
    // Balanced text that is not JSON, such as `{name}` in prose, is not searched inside.
    after = end;
  }
  return undefined;
}

/** The index after the bracket that closes the one at `start`; undefined when there is none. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === "\\") index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return undefined;
}

function isContainer(found: { readonly value: unknown } | undefined): found is { readonly value: object } {
  return typeof found?.value === "object" && found.value !== null;
}

function parse(text: string): { readonly value: unknown } | undefined {
  return parseLenientJson(text);
}
