import type { Redactor } from "@planwright/shared/redaction";

const CAUSE_CHARS_MAX = 300;

/**
 * The cause without the parts that differ between dead letters (ids, numbers, addresses, quoted text), so that dead letters with
 * the same cause are grouped.
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

/** Returns the cause by which dead letters are grouped. */
export type CauseOf = (cause: string) => string;

/** The number of causes to remember, since many dead letters share one. */
const REMEMBERED_MAX = 1_000;

/**
 * Makes the function that finds the cause of a group. It redacts by every rule first: the rules might not match a shortened
 * cause, and the name of a group, which every role sees, must not depend on what is hidden from some roles.
 */
export function createCauseOf(redactor: Redactor): CauseOf {
  const known = new Map<string, string>();
  return (cause) => {
    const remembered = known.get(cause);
    if (remembered !== undefined) return remembered;
    const normalised = normaliseCause(redactor.isActive ? redactor.text(cause) : cause);
    if (known.size >= REMEMBERED_MAX) known.clear();
    known.set(cause, normalised);
    return normalised;
  };
}
