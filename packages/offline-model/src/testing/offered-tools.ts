/** The tools that an installation offers by default, as the planner's prompt lists them. */
import type { OfferedTool } from "../prompt/plan-prompt.ts";

export function offeredTool(name: string, description: string, args: string, required = args): OfferedTool {
  const names = (list: string) => list.split(" ").filter((arg) => arg !== "");
  const properties = Object.fromEntries(names(args).map((arg) => [arg, { type: "string" }]));
  return { name, description, input: { type: "object", properties, required: names(required) } };
}

export const OFFERED_TOOLS: readonly OfferedTool[] = [
  offeredTool("flow.echo", "Return the value.", "value"),
  offeredTool("flow.wait", "Wait some milliseconds.", "ms value", "ms"),
  offeredTool(
    "model.write",
    "Ask a language model to write, summarize or compare.",
    "prompt context",
    "prompt",
  ),
  offeredTool("docs.search", "Search the installation's own documents.", "query limit", "query"),
  offeredTool("http.fetch", "Read one web page as text.", "url"),
  offeredTool("sql.query", "Run one read-only SELECT over a data source.", "source sql params", "source sql"),
  offeredTool("math.evaluate", "Calculate one expression exactly.", "expression variables", "expression"),
  offeredTool("files.write", "Write a file of the plan.", "path content"),
  offeredTool("files.read", "Read a file of the plan.", "path"),
  offeredTool("chart.render", "Draw a chart.", "spec data name", "spec"),
];
