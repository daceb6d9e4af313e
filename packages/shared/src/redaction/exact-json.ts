/** JSON whose numbers keep all their digits: a card number may have more than JavaScript's numbers. */

declare global {
  /** Of ECMAScript's proposal "JSON.parse source text access", which Node has and TypeScript's library does not name yet. */
  interface JSON {
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** What `JSON.stringify` writes as it was read. */
export type RawJson = { readonly rawJSON: string };

/** As many digits as a number can lose some of. */
const MANY_DIGITS = /\d{16}/;

/** Decodes JSON; a number that cannot be held exactly becomes a {@link RawJson}. @throws {SyntaxError} When it is no JSON. */
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
