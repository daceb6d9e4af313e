/** A plan as briefly as a model needs it: its state, its pending approvals, and its result. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  MCP_ACCESS,
  MCP_STEPS_MAX,
  type McpApproval,
  type McpPlan,
  type McpStep,
  type McpTool,
} from "@planwright/api";
import { type ApprovalView, definedOnly, type PlanView, type StepView } from "@planwright/plan";
import { type Redaction, VIEWS } from "@planwright/shared/redaction";
import type { Logger } from "@planwright/shared/service";
import { z } from "zod";
import type { Auditor } from "../audit/auditor.ts";
import type { Authenticated } from "../http/authenticate.ts";
import { requirePermission } from "../http/require-permission.ts";
import { toProblem } from "../http/to-problem.ts";

/** The equivalent HTTP call. */
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

const GOAL_CHARS_MAX = 500;
const PREVIEW_CHARS_MAX = 300;

/** @param whole - The ids of steps whose outputs are returned in full. */
export function summaryOf(view: PlanView, whole: readonly string[] = []): McpPlan {
  const { answer } = view;
  return {
    planId: view.planId,
    goal: view.goal.slice(0, GOAL_CHARS_MAX),
    status: view.status,
    ended: view.ended,
    ...(view.outcome === undefined ? {} : { outcome: view.outcome }),
    ...(view.reason === undefined ? {} : { reason: view.reason }),
    progress: { done: view.progress.done, total: view.progress.total, percent: view.progress.percent },
    approvals: view.approvals.filter(({ status }) => status === "pending").map(approvalOf),
    steps: view.steps.slice(0, MCP_STEPS_MAX).map((step) => stepOf(step, whole.includes(step.id))),
    ...(answer === undefined ? {} : { answer: answerOf(answer) }),
  };
}

function approvalOf({
  approvalId,
  kind,
  question,
  choices,
  stepId,
  tool,
  risk,
  args,
  details,
  requiredBy,
  approvers,
  submitterMayApprove,
  expiresAt,
}: ApprovalView): McpApproval {
  return {
    approvalId,
    kind,
    question,
    choices,
    expiresAt,
    ...definedOnly({ stepId, tool, risk, args, details, requiredBy, approvers, submitterMayApprove }),
  };
}

function stepOf(step: StepView, isWhole: boolean): McpStep {
  const { id, tool, status, description, error } = step;
  const output = outputOf(step, isWhole);
  return {
    id,
    tool,
    status,
    ...(description === undefined ? {} : { description: description.slice(0, PREVIEW_CHARS_MAX) }),
    ...(error === undefined
      ? {}
      : { error: `${error.code}: ${error.message}`.slice(0, PREVIEW_CHARS_MAX * 2) }),
    ...(output === undefined ? {} : { output }),
  };
}

function outputOf({ output }: StepView, isWhole: boolean): unknown {
  if (output === undefined) return undefined;
  if ("artifact" in output) return { artifact: output.artifact.name, preview: output.preview };
  if (isWhole) return output.value;
  const text = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
  return text.length <= PREVIEW_CHARS_MAX ? output.value : `${text.slice(0, PREVIEW_CHARS_MAX)}…`;
}

function answerOf({ text, status, data }: NonNullable<PlanView["answer"]>): NonNullable<McpPlan["answer"]> {
  return { text, status, ...(data === undefined ? {} : { data }) };
}

/** The result of a tool: that of `work`, or an error that the client may see, such as a missing role. */
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
