import type { Span } from "../api/api-types.ts";
import type { SpanRow } from "./span-tree.ts";

/** The step that a span names. */
export function stepOfSpan({ attributes }: Span): string | undefined {
  const step = attributes["step.id"];
  return typeof step === "string" ? step : undefined;
}

export function planOfSpan({ attributes }: Span): string | undefined {
  const plan = attributes["plan.id"];
  return typeof plan === "string" ? plan : undefined;
}

/** The span that represents a step in its plan's trace: its last tool run, or else its first span. */
export function spanOfStep(
  rows: readonly SpanRow[],
  { planId, stepId }: { readonly planId: string; readonly stepId: string },
): SpanRow | undefined {
  const own = rows.filter(
    ({ span }) => stepOfSpan(span) === stepId && (planOfSpan(span) ?? planId) === planId,
  );
  return own.findLast(({ span }) => span.name.startsWith("execute_tool")) ?? own[0];
}
