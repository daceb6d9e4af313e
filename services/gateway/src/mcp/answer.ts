import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Logger } from "@planwright/shared/service";
import { toProblem } from "../http/to-problem.ts";

/** The result of a tool: what `work` gives, or what the client may know of why there is nothing. */
export async function answer(
  log: Logger,
  work: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<CallToolResult> {
  try {
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
