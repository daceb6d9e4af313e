/** Parses JSON with slips typical of small models: raw line breaks in texts, commas before a bracket, Python's constants. */
import { parseJson } from "../values/json-guards.ts";
import type { Json } from "../values/json.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\b", "\\b"],
  ["\f", "\\f"],
]);
const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["undefined", "null"],
]);
const WORD = /[A-Za-z]+/y;
const COMMA_BEFORE_END = /,(?=\s*[}\]])/y;

/** Parses JSON; invalid JSON is mended and parsed once more. Undefined if that does not help. */
export function parseLenientJson(
  text: string,
): { readonly value: Json; readonly isMended: boolean } | undefined {
  const value = parseJson(text);
  if (value !== undefined) return { value, isMended: false };
  const mended = parseJson(mendJson(text));
  return mended === undefined ? undefined : { value: mended, isMended: true };
}

/** One pass over the text; leaves everything unknown unchanged. */
function mendJson(text: string): string {
  const parts: string[] = [];
  for (let index = 0; index < text.length; ) {
    const read = text.charAt(index) === '"' ? readText(text, index) : readOther(text, index);
    parts.push(read.mended);
    index = read.next;
  }
  return parts.join("");
}

type Read = { readonly mended: string; readonly next: number };

/** Reads a text from its opening quote to its closing one. */
function readText(text: string, start: number): Read {
  const parts = ['"'];
  let index = start + 1;
  for (; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "\\") {
      const escape = text.slice(index, index + 2);
      // JSON has fewer escapes than most languages: `\'` is an apostrophe.
      parts.push(/^\\["\\/bfnrtu]$/.test(escape) ? escape : escape.slice(1));
      index++;
    } else if (char === '"') return { mended: `${parts.join("")}"`, next: index + 1 };
    else parts.push(char < " " ? (ESCAPES.get(char) ?? controlEscape(char)) : char);
  }
  return { mended: parts.join(""), next: index };
}

function readOther(text: string, start: number): Read {
  COMMA_BEFORE_END.lastIndex = start;
  if (COMMA_BEFORE_END.test(text)) return { mended: "", next: start + 1 };
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  if (word !== undefined) return { mended: CONSTANTS.get(word) ?? word, next: start + word.length };
  return { mended: text.charAt(start), next: start + 1 };
}

function controlEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
