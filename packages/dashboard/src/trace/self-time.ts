import type { SpanRow } from "./span-tree.ts";

/** The part of a span's time during which no descendant was running. Descendants may overlap or outlast the span. */
export function selfTimeMs(rows: readonly SpanRow[], row: SpanRow): number {
  const index = rows.indexOf(row);
  const endMs = row.startMs + row.durationMs;
  let self = 0;
  let at = row.startMs;
  const below = rows.slice(index + 1, index + 1 + row.below);
  for (const other of below.toSorted((left, right) => left.startMs - right.startMs)) {
    if (other.startMs >= endMs) break;
    if (other.startMs > at) self += other.startMs - at;
    at = Math.max(at, Math.min(other.startMs + other.durationMs, endMs));
  }
  return self + Math.max(0, endMs - at);
}
