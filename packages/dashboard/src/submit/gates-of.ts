import type { GoalRequest, Preview, ToolSpec } from "../api/api-types.ts";

const RISKS: readonly string[] = ["low", "medium", "high"];

export type ApprovalPolicy = NonNullable<GoalRequest["approval"]>;
type Policy = { readonly tools: ReadonlyMap<string, ToolSpec>; readonly approval: ApprovalPolicy };

/** The steps that will wait for a person, by their tools' risk; a tool that is not known counts as risky. */
export function gatesOf(steps: Preview["steps"], { tools, approval }: Policy): string[] {
  const { risk: from = "high" } = approval;
  if (from === "never") return [];
  const waits = (tool: string) => RISKS.indexOf(tools.get(tool)?.risk ?? "high") >= RISKS.indexOf(from);
  return steps.filter(({ tool }) => waits(tool)).map(({ id }) => id);
}
