/** A trace's spans as rows of a waterfall: each below its parent, siblings by time. */
import type { Span } from "../api/api-types.ts";

export type SpanRow = {
  readonly span: Span;
  readonly depth: number;
  /** From the start of the trace, in milliseconds. */
  readonly startMs: number;
  readonly durationMs: number;
};

export type SpanTree = {
  readonly rows: readonly SpanRow[];
  readonly durationMs: number;
  readonly services: readonly string[];
};

/** Spans whose parent is missing, or that lie on a cycle of parents, stand at the top. */
export function spanTree(spans: readonly Span[]): SpanTree {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const sorted = [...byId.values()].sort((left, right) =>
    compare(BigInt(left.startTimeUnixNano), BigInt(right.startTimeUnixNano)),
  );
  const first = sorted[0];
  if (first === undefined) return { rows: [], durationMs: 0, services: [] };
  const zero = BigInt(first.startTimeUnixNano);
  const children = Map.groupBy(sorted, ({ parentSpanId }) =>
    parentSpanId !== undefined && byId.has(parentSpanId) ? parentSpanId : "",
  );

  const rows: SpanRow[] = [];
  const placed = new Set<string>();
  const place = (start: readonly Span[]): void => {
    const pending = start.toReversed().map((span) => ({ span, depth: 0 }));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { span, depth } = next;
      if (placed.has(span.spanId)) continue;
      placed.add(span.spanId);
      rows.push(rowOf(span, depth, zero));
      for (const child of (children.get(span.spanId) ?? []).toReversed())
        pending.push({ span: child, depth: depth + 1 });
    }
  };
  place(children.get("") ?? []);
  place(sorted);
  const durationMs = Math.max(...rows.map((row) => row.startMs + row.durationMs), 0);
  return { rows, durationMs, services: [...new Set(sorted.map((span) => span.service))] };
}

function rowOf(span: Span, depth: number, zero: bigint): SpanRow {
  const start = BigInt(span.startTimeUnixNano);
  const end = BigInt(span.endTimeUnixNano);
  return {
    span,
    depth,
    startMs: milliseconds(start - zero),
    durationMs: Math.max(0, milliseconds(end - start)),
  };
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
