const CAUSE_CHARS_MAX = 300;

/**
 * The cause without what differs from letter to letter (ids, numbers, addresses, what is quoted), so that letters
 * with one cause are told together.
 */
export function normaliseCause(cause: string): string {
  return cause
    .slice(0, 4 * CAUSE_CHARS_MAX)
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…")
    .replaceAll(/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, "#")
    .replaceAll(/\b(?=[a-f]*\d)[\da-f]{8,}\b/gi, "#")
    .replaceAll(/\d+(?:[.:,]\d+)*/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, CAUSE_CHARS_MAX);
}
