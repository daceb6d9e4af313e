import type { JsonObject, Preview, ToolSpec } from "../api/api-types.ts";

const RISKS: readonly string[] = ["low", "medium", "high"];

type Policy = { readonly tools: ReadonlyMap<string, ToolSpec>; readonly approval: JsonObject };

/** The steps that will wait for a person, by their tools' risk; a tool that is not known counts as risky. */
export function gatesOf(steps: Preview["steps"], { tools, approval }: Policy): string[] {
  const from = typeof approval["risk"] === "string" ? approval["risk"] : "high";
  if (from === "never") return [];
  const waits = (tool: string) => RISKS.indexOf(tools.get(tool)?.risk ?? "high") >= RISKS.indexOf(from);
  return steps.filter(({ tool }) => waits(tool)).map(({ id }) => id);
}
