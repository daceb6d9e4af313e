import type { PlanDocument, ToolGrant, ToolSpec } from "@planwright/plan";

/** Of the tools that a checked plan uses. */
export function grantsOf(
  { steps }: PlanDocument,
  tools: ReadonlyMap<string, ToolSpec>,
): Record<string, ToolGrant> {
  const grants: Record<string, ToolGrant> = {};
  const calls = steps.flatMap((step) => (step.compensate === undefined ? [step] : [step, step.compensate]));
  for (const { tool } of calls) {
    const spec = tools.get(tool);
    if (spec === undefined) continue;
    const { pool, risk, effect, timeoutMs, modelTokens } = spec;
    grants[tool] = { pool, risk, effect, timeoutMs, ...(modelTokens === undefined ? {} : { modelTokens }) };
  }
  return grants;
}
