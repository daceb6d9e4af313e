import type { CallToolResult } from "@modelcontextprotocol/server";
import { MCP_ACCESS, type McpTool } from "@planwright/api";
import { type Redaction, VIEWS } from "@planwright/shared/redaction";
import type { Logger } from "@planwright/shared/service";
import type { Authenticated } from "../http/authenticate.ts";
import { requirePermission } from "../http/require-permission.ts";
import { z } from "zod";
import type { Auditor } from "../audit/auditor.ts";
import { toProblem } from "../http/to-problem.ts";

/** The call that does the same over HTTP. */
const ACTIONS = {
  plan_submit: "submitPlan",
  plan_preview: "previewPlan",
  plan_status: "getPlan",
  plan_wait: "getPlan",
  plan_approve: "decideApproval",
  plan_cancel: "cancelPlan",
} as const satisfies Readonly<Record<McpTool, string>>;

const Named = z.object({
  planId: z.string().optional(),
  approvalId: z.string().optional(),
  decision: z.string().optional(),
});

/** The result of a tool: that of `work`, or the reason that the client may see, such as a role that may not use the tool. */
export async function answer(
  {
    tool,
    args,
    caller,
    deps: { log, redaction, auditor },
  }: {
    readonly tool: McpTool;
    readonly args: object;
    readonly caller: Authenticated & { readonly ip: string };
    readonly deps: { readonly log: Logger; readonly redaction: Redaction; readonly auditor: Auditor };
  },
  work: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<CallToolResult> {
  const note = (outcome: string, made: object = {}): Promise<void> =>
    auditor.note({
      caller,
      action: ACTIONS[tool],
      via: "mcp",
      on: Named.parse({ ...args, ...made }),
      from: caller.ip,
      outcome,
    });
  const redactor = redaction.forRole(caller.role);
  try {
    auditor.refuseWhenBlocked(caller);
    requirePermission(caller, MCP_ACCESS[tool], tool);
    const value = await work();
    await note("done", value);
    const shown = redactor.json(value, VIEWS);
    return { content: [{ type: "text", text: JSON.stringify(shown) }], structuredContent: shown };
  } catch (error) {
    const problem = toProblem(error);
    if (problem.status >= 500) log.error({ err: problem.cause ?? error, code: problem.code }, "refused");
    await note(problem.code);
    const { issues = [] } = problem.details;
    const lines = [
      `${problem.code}: ${problem.message}`,
      ...issues.map((one) => `${one.field}: ${one.message}`),
    ];
    return { content: [{ type: "text", text: redactor.text(lines.join("\n")) }], isError: true };
  }
}
