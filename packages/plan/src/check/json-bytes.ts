const encoder = new TextEncoder();

/** Returns the size of a value as JSON in UTF-8, in bytes. */
export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}
