/** A decoded JSON value as text, independent of the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, withSortedKeys) ?? "";
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
