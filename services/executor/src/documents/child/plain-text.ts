export const TEXT_CHARS_MAX = 1_000_000;
const TITLE_CHARS_MAX = 500;

// oxlint-disable-next-line no-control-regex -- control characters are what it takes away
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Text that any system can store: without control characters, lone surrogates, or more than two line ends in a row. */
export function plainText(text: string): string {
  return text
    .replaceAll(CONTROL, "")
    .toWellFormed()
    .replaceAll(/[^\S\n]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** `null` for a title without content. */
export function plainTitle(title: unknown): string | null {
  if (typeof title !== "string") return null;
  const text = plainText(title.slice(0, 2 * TITLE_CHARS_MAX))
    .replaceAll(/\s+/g, " ")
    .slice(0, TITLE_CHARS_MAX);
  return text === "" ? null : text;
}
