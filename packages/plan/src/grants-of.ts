import type { ToolGrant } from "./events/values.ts";
import { grantOf } from "./grant-of.ts";
import type { PlanDocument } from "./plan-language.ts";
import type { ToolSpec } from "./tool-spec.ts";

/** What a plan's log must know of the tools that its steps and their compensations use, by tool name. */
export function grantsOf(
  { steps }: PlanDocument,
  tools: ReadonlyMap<string, ToolSpec>,
): Record<string, ToolGrant> {
  const grants: Record<string, ToolGrant> = {};
  const calls = steps.flatMap((step) => (step.compensate === undefined ? [step] : [step, step.compensate]));
  for (const { tool } of calls) {
    const spec = tools.get(tool);
    if (spec === undefined) continue;
    grants[tool] = grantOf(spec);
  }
  return grants;
}
