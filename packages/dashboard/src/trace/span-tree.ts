/** A trace's spans as rows of a waterfall: each below its parent, siblings by time. */
import type { Span } from "../api/api-types.ts";
import { planOfSpan, stepOfSpan } from "./step-of-span.ts";

/** How long before the end of a span its result may already have been sent. */
const EARLY_MS_MAX = 10;

export type SpanRow = {
  readonly span: Span;
  readonly depth: number;
  /** From the start of the trace, in milliseconds. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Number of descendants, which follow it. */
  readonly below: number;
  /** Number of failed ones among them. */
  readonly failedBelow: number;
  /** The end of the trace waited for it. */
  readonly isCritical: boolean;
};

export type SpanTree = {
  readonly rows: readonly SpanRow[];
  readonly durationMs: number;
  /** By start time. */
  readonly services: readonly string[];
};

/** A span and its times in the trace. */
type TimedSpan = { readonly span: Span; readonly startMs: number; readonly endMs: number };

type Placed = TimedSpan & { readonly depth: number; readonly children: readonly TimedSpan[] };

/**
 * Spans whose parent is missing, or that are on a cycle of parents, are at the top level.
 *
 * @param path - The plan's critical path: spans of its steps are critical only if their step is on it. Absent: determined
 *   from the trace alone.
 */
export function spanTree(spans: readonly Span[], path?: PlanPath): SpanTree {
  const timed = timedSpans(spans);
  const ids = new Set(timed.map(({ span }) => span.spanId));
  const children = Map.groupBy(timed, ({ span: { parentSpanId } }) =>
    parentSpanId !== undefined && ids.has(parentSpanId) ? parentSpanId : "",
  );

  const placed: Placed[] = [];
  const known = new Set<string>();
  const place = (start: readonly TimedSpan[]): void => {
    const pending = start.toReversed().map((one) => ({ one, depth: 0 }));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { one, depth } = next;
      if (known.has(one.span.spanId)) continue;
      known.add(one.span.spanId);
      const below = children.get(one.span.spanId) ?? [];
      placed.push({ ...one, depth, children: below });
      for (const child of below.toReversed()) pending.push({ one: child, depth: depth + 1 });
    }
  };
  place(children.get("") ?? []);
  place(timed);
  return {
    rows: rowsOf(placed, path),
    durationMs: timed.reduce((end, { endMs }) => Math.max(end, endMs), 0),
    services: [...new Set(timed.map(({ span }) => span.service))],
  };
}

function rowsOf(placed: readonly Placed[], path: PlanPath | undefined): SpanRow[] {
  const critical = criticalSpans(placed, path);
  const below = countsBelow(placed);
  return placed.map(({ span, depth, startMs, endMs }, index) => ({
    span,
    depth,
    startMs,
    durationMs: endMs - startMs,
    below: below[index]?.rows ?? 0,
    failedBelow: below[index]?.failed ?? 0,
    isCritical: critical.has(span.spanId),
  }));
}

/** Number of descendants of each row: the following rows that are deeper, up to the first that is not. */
function countsBelow(placed: readonly Placed[]): { rows: number; failed: number }[] {
  const counts = placed.map(() => ({ rows: 0, failed: 0 }));
  const parents: (number | undefined)[] = [];
  const path: number[] = [];
  for (const [index, { depth }] of placed.entries()) {
    path.length = Math.min(path.length, depth);
    parents.push(path.at(-1));
    path.push(index);
  }
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    const own = counts[index];
    const above = counts[parents[index] ?? -1];
    if (own === undefined || above === undefined) continue;
    above.rows += own.rows + 1;
    above.failed += own.failed + (placed[index]?.span.status === "error" ? 1 : 0);
  }
  return counts;
}

/** Each span once, with the first span of the trace at 0. */
function timedSpans(spans: readonly Span[]): TimedSpan[] {
  const unique = [...new Map(spans.map((span) => [span.spanId, span])).values()];
  const sorted = unique
    .map((span) => ({ span, start: BigInt(span.startTimeUnixNano), end: BigInt(span.endTimeUnixNano) }))
    .sort((left, right) => (left.start < right.start ? -1 : left.start > right.start ? 1 : 0));
  const zero = sorted[0]?.start ?? 0n;
  return sorted.map(({ span, start, end }) => {
    const startMs = milliseconds(start - zero);
    return { span, startMs, endMs: Math.max(startMs, milliseconds(end - zero)) };
  });
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}

type Node = TimedSpan & { readonly depth: number; readonly children: readonly TimedSpan[] };

/** The steps on a plan's critical path, from the plan's view. */
type PlanPath = { readonly planId: string; readonly stepIds: readonly string[] };

/**
 * The spans that the end of the trace waited for.
 *
 * The plan determines which steps these are, so that graph, timeline and trace agree: spans of the plan's other steps are
 * never included, and the last run of each step on the plan's path always is, together with its ancestors.
 *
 * Goes backwards from the end: of a span's children, the one that ended last is on the path, then the one that ended last
 * before that one started, and so on, each with its own children. A message is processed after it was sent, so a span counts
 * as ended when all its descendants have.
 */
function criticalSpans(nodes: readonly Node[], plan?: PlanPath): ReadonlySet<string> {
  const ends = lastEnds(nodes);
  const byId = new Map(nodes.map((node) => [node.span.spanId, node]));
  const endOf = ({ span, endMs }: TimedSpan): number => ends.get(span.spanId) ?? endMs;
  const path = new Set<string>();
  const isOff = offPath(plan);
  const pending: { node: Node | undefined; untilMs: number }[] = [];

  const follow = (candidates: readonly TimedSpan[], untilMs: number): void => {
    let until = untilMs;
    for (const one of candidates.toSorted((left, right) => endOf(right) - endOf(left))) {
      if (endOf(one) > until + EARLY_MS_MAX || path.has(one.span.spanId) || isOff(one)) continue;
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
  if (plan !== undefined) addSteps(path, byId, { plan, isOff });
  return path;
}

/** Whether a span belongs to a step of the plan that is not on its path. */
function offPath(plan: PlanPath | undefined): (one: TimedSpan) => boolean {
  if (plan === undefined) return () => false;
  const on = new Set(plan.stepIds);
  return (one) => {
    const stepId = stepIn(plan, one);
    return stepId !== undefined && !on.has(stepId);
  };
}

function stepIn({ planId }: PlanPath, { span }: TimedSpan): string | undefined {
  return (planOfSpan(span) ?? planId) === planId ? stepOfSpan(span) : undefined;
}

/** For each step on the plan's path without a span in the result, adds its last span with its ancestors. */
function addSteps(
  path: Set<string>,
  byId: ReadonlyMap<string, Node>,
  { plan, isOff }: { readonly plan: PlanPath; readonly isOff: (one: TimedSpan) => boolean },
): void {
  const byStep = Map.groupBy(byId.values(), (node) => stepIn(plan, node));
  for (const stepId of plan.stepIds) {
    const own = byStep.get(stepId) ?? [];
    if (own.some(({ span }) => path.has(span.spanId))) continue;
    let node = own.toSorted((left, right) => left.endMs - right.endMs || left.depth - right.depth).at(-1);
    for (; node !== undefined && !path.has(node.span.spanId); node = byId.get(node.span.parentSpanId ?? "")) {
      if (!isOff(node)) path.add(node.span.spanId);
    }
  }
}

/** The time when a span and all its descendants had ended. Rows come before their descendants. */
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
