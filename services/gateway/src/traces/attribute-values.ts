/** Attributes as OTLP carries them, and as the trace view shows them. */
import { z } from "zod";
import { listOf } from "./list-of.ts";

/** Of a span, an event, a link or a resource; OpenTelemetry's own limit is 128. */
const ATTRIBUTES_MAX = 1_000;
/** Deeper lists and maps are cut off. */
const DEPTH_MAX = 4;

export const Attributes = listOf(z.object({ key: z.string(), value: z.unknown() }), ATTRIBUTES_MAX);
export type Attributes = z.output<typeof Attributes>;

export function attributesOf(pairs: Attributes): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value, DEPTH_MAX)]));
}

/** What `{"stringValue": "x"}` and its like stand for; null for what is none of them. By hand: there are many. */
function plainValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return null;
  const [kind] = Object.keys(value);
  const content: unknown = Object.values(value)[0];
  switch (kind) {
    case "stringValue":
    // Base64 in JSON.
    case "bytesValue":
      return typeof content === "string" ? content : null;
    case "boolValue":
      return typeof content === "boolean" ? content : null;
    case "intValue":
    case "doubleValue":
      return Number.isFinite(Number(content)) ? Number(content) : null;
    case "arrayValue":
      return valuesIn(content).map((one) => plainValue(one, depth - 1));
    case "kvlistValue":
      return Object.fromEntries(valuesIn(content).flatMap((pair) => plainPair(pair, depth - 1)));
    default:
      return null;
  }
}

function plainPair(pair: unknown, depth: number): [string, unknown][] {
  if (typeof pair !== "object" || pair === null || !("key" in pair) || typeof pair.key !== "string")
    return [];
  return [[pair.key, plainValue("value" in pair ? pair.value : null, depth)]];
}

function valuesIn(content: unknown): readonly unknown[] {
  if (typeof content !== "object" || content === null || !("values" in content)) return [];
  return Array.isArray(content.values) ? content.values : [];
}
