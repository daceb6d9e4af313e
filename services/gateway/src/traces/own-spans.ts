import type { PlanId, PlanTrace } from "@planwright/plan";
import type { Span } from "@planwright/api";

/** A plan, and its position in its trace. */
export type OwnTrace = { readonly planId: PlanId; readonly tenant: string; readonly trace: PlanTrace };

/**
 * Selects a plan's own spans from its trace.
 *
 * A trace may be shared: the submitter can name the trace to continue, so it may contain other plans, also of other tenants. A
 * plan's own spans are that of the request that submitted it and all below; a span whose parents have not arrived is included
 * when it names the plan.
 */
export function ownSpans(spans: readonly Span[], { planId, trace }: Omit<OwnTrace, "tenant">): Span[] {
  const roots: ReadonlySet<string | undefined> = new Set([trace.spanId, trace.parentSpanId ?? trace.spanId]);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const known = new Map<string, boolean>();

  const isOwn = (span: Span): boolean => {
    const path: string[] = [];
    const onPath = new Set<string>();
    let verdict: boolean | undefined;
    for (let current: Span | undefined = span; verdict === undefined; ) {
      path.push(current.spanId);
      onPath.add(current.spanId);
      const parent: Span | undefined = byId.get(current.parentSpanId ?? "");
      if (known.has(current.spanId)) verdict = known.get(current.spanId) ?? false;
      else if (roots.has(current.spanId) || roots.has(current.parentSpanId)) verdict = true;
      // Senders may claim anything, even parents in a cycle.
      else if (parent === undefined || onPath.has(parent.spanId)) verdict = namesPlan(current, planId);
      else current = parent;
    }
    for (const id of path) known.set(id, verdict);
    return verdict;
  };
  return spans.filter(isOwn);
}

function namesPlan({ attributes }: Span, planId: string): boolean {
  return attributes["plan.id"] === planId;
}
