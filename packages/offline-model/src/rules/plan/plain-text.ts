const CHARS_MAX = 4_000;

/** Text of the goal as an argument: braces that would read as a reference are taken apart. */
export function plainText(text: string): string {
  return text.slice(0, CHARS_MAX).replaceAll("{{", "{ {");
}
