import type { CallToolResult } from "@modelcontextprotocol/server";
import { MCP_ACCESS, type McpTool } from "@planwright/api";
import type { Logger } from "@planwright/shared/service";
import type { Authenticated } from "../http/authenticate.ts";
import { requirePermission } from "../http/require-permission.ts";
import { toProblem } from "../http/to-problem.ts";

/** The result of a tool: what `work` gives, or what the client may know of why there is nothing, such as a role that may not use the tool. */
export async function answer(
  { tool, caller, log }: { readonly tool: McpTool; readonly caller: Authenticated; readonly log: Logger },
  work: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<CallToolResult> {
  try {
    requirePermission(caller, MCP_ACCESS[tool], tool);
    const value = await work();
    return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
  } catch (error) {
    const problem = toProblem(error);
    if (problem.status >= 500) log.error({ err: problem.cause ?? error, code: problem.code }, "refused");
    const { issues = [] } = problem.details;
    const lines = [
      `${problem.code}: ${problem.message}`,
      ...issues.map((one) => `${one.field}: ${one.message}`),
    ];
    return { content: [{ type: "text", text: lines.join("\n") }], isError: true };
  }
}
