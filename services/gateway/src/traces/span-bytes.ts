import type { Attributes } from "./attribute-values.ts";
import type { ReceivedSpan } from "./otlp-request.ts";

/** What the objects of a span, and of each of its parts, take beside their texts: measured on V8, rounded up. */
const SPAN_BYTES = 700;
const PART_BYTES = 120;

/** About how much memory a span takes. */
export function spanBytes({ name, attributes, events, links, status }: ReceivedSpan): number {
  let bytes = SPAN_BYTES + name.length + (status?.message ?? "").length + attributesBytes(attributes);
  for (const event of events) bytes += PART_BYTES + event.name.length + attributesBytes(event.attributes);
  for (const link of links) bytes += PART_BYTES + attributesBytes(link.attributes ?? []);
  return bytes;
}

function attributesBytes(pairs: Attributes): number {
  let bytes = 0;
  for (const { key, value } of pairs) bytes += PART_BYTES + key.length + valueBytes(value);
  return bytes;
}

function valueBytes(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  for (const content of Object.values(value)) {
    if (typeof content === "string") bytes += content.length;
    // Lists and maps are rare.
    else if (typeof content === "object") bytes += 2 * JSON.stringify(content).length;
  }
  return bytes;
}
