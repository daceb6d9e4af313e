const CHARS_MAX = 4_000;

/** Text of the goal as an argument: no longer than an argument should be, and without references. */
export function plainText(text: string): string {
  return withoutTemplates(text.slice(0, CHARS_MAX));
}

/** Braces that would read as a reference to a step's output are taken apart: references are the plan's alone. */
export function withoutTemplates(text: string): string {
  return text.replace(/\{(?=\{)/g, "{ ");
}
