const CHARS_MAX = 4_000;

/** Text of the goal as an argument: limited in length, and without references. */
export function plainText(text: string): string {
  return withoutTemplates(text.slice(0, CHARS_MAX));
}

/** Splits braces that would read as a reference to a step's output: only the plan itself can contain references. */
export function withoutTemplates(text: string): string {
  return text.replace(/\{(?=\{)/g, "{ ");
}
