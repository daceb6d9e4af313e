const TEXT_CHARS_MAX = 80;

/** Formats a value for a message: short, on one line, without control characters or lone surrogates. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") {
    return value.length > TEXT_CHARS_MAX ? `${quote(value)} (${value.length} characters)` : quote(value);
  }
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object") return describeObject(value);
  return `a ${typeof value}`;
}

/** A name in quotes, shortened. */
export function quote(text: string): string {
  const shown = text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
  return JSON.stringify(shown);
}

/** Names in quotes, separated by commas; only the first ten. */
export function quoteAll(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, 10).map(quote).join(", ");
  return all.length > 10 ? `${shown} and ${all.length - 10} more` : shown;
}

/** Appends keys and indexes to a path: `args`, `["rows", 0, "a b"]` gives `args.rows[0]["a b"]`. */
export function pathText(root: string, path: readonly PropertyKey[]): string {
  let text = root;
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[\w$-]{1,80}$/.test(String(part))) text += text === "" ? String(part) : `.${String(part)}`;
    else text += `[${quote(String(part))}]`;
  }
  return text;
}

function describeObject(value: object): string {
  const keys = Object.keys(value);
  return keys.length === 0
    ? "an empty object"
    : `an object with ${quoteAll(keys.slice(0, 3))}${keys.length > 3 ? ", …" : ""}`;
}
