import type { TimedSpan } from "./span-tree.ts";
import { planOfSpan, stepOfSpan } from "./step-of-span.ts";

type Node = TimedSpan & { readonly depth: number; readonly children: readonly TimedSpan[] };

/** How long before the end of a span its outcome may already have been passed on. */
const EARLY_MS_MAX = 10;

/** The steps on a plan's critical path, from the plan's view. */
export type PlanPath = { readonly planId: string; readonly stepIds: readonly string[] };

/**
 * The spans that the end of the trace waited for.
 *
 * Which steps these are, the plan says, so that graph, timeline and trace agree: a span of another of its steps is never
 * among them, and the last run of each step on the plan's path always is, with what it stands below.
 *
 * From the end backwards: of a span's children, the one that ended last is on the path, then the one that ended last
 * before that began, and so on, each with its own children. A message is worked on after it was sent, so a span counts
 * as ended when all below it has.
 */
export function criticalSpans(nodes: readonly Node[], plan?: PlanPath): ReadonlySet<string> {
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

/** Whether a span is about a step of the plan that is not on its path. */
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

/** Adds of each step on the plan's path that has no span there its last one, and those that it stands below. */
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
