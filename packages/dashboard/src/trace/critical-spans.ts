import type { TimedSpan } from "./span-tree.ts";

type Node = TimedSpan & { readonly depth: number; readonly children: readonly TimedSpan[] };

/** An outcome is known, and goes on, a moment before the span of the work has ended. */
const EARLY_MS_MAX = 10;

/**
 * The spans that the end of the trace waited for.
 *
 * From the end backwards: of a span's children, the one that ended last is on the path, then the one that ended last
 * before that began, and so on, each with its own children. A message is worked on after it was sent, so a span counts
 * as ended when all below it has.
 */
export function criticalSpans(nodes: readonly Node[]): ReadonlySet<string> {
  const ends = lastEnds(nodes);
  const byId = new Map(nodes.map((node) => [node.span.spanId, node]));
  const endOf = ({ span, endMs }: TimedSpan): number => ends.get(span.spanId) ?? endMs;
  const path = new Set<string>();
  const pending: { node: Node | undefined; untilMs: number }[] = [];

  const follow = (candidates: readonly TimedSpan[], untilMs: number): void => {
    let until = untilMs;
    for (const one of candidates.toSorted((left, right) => endOf(right) - endOf(left))) {
      if (endOf(one) > until + EARLY_MS_MAX || path.has(one.span.spanId)) continue;
      path.add(one.span.spanId);
      pending.push({ node: byId.get(one.span.spanId), untilMs: endOf(one) });
      until = one.startMs;
    }
  };
  follow(
    nodes.filter(({ depth }) => depth === 0),
    Number.POSITIVE_INFINITY,
  );
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    follow(next.node?.children ?? [], next.untilMs);
  return path;
}

/** When a span and all below it had ended. Rows stand before those below them. */
function lastEnds(nodes: readonly Node[]): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { span, endMs, children } of nodes.toReversed()) {
    const below = children.map((child) => ends.get(child.span.spanId) ?? child.endMs);
    ends.set(
      span.spanId,
      below.reduce((last, end) => Math.max(last, end), endMs),
    );
  }
  return ends;
}
