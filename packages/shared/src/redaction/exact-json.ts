/** JSON whose numbers keep all their digits: a card number may have more than JavaScript's numbers. */

declare global {
  /** ECMAScript's proposal "JSON.parse source text access", supported by Node but not yet declared in TypeScript's library. */
  interface JSON {
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** A number that `JSON.stringify` writes exactly as it was read. */
export type RawJson = { readonly rawJSON: string };

/** The number of digits from which a number can lose some. */
const MANY_DIGITS = /\d{16}/;

/** Decodes JSON; a number that cannot be held exactly becomes a {@link RawJson}. @throws {SyntaxError} For invalid JSON. */
export function parseExact(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    return typeof value !== "number" ||
      source === undefined ||
      String(value) === source ||
      !MANY_DIGITS.test(source)
      ? value
      : JSON.rawJSON(source);
  });
}
