const encoder = new TextEncoder();

/** How many bytes a value takes as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}
