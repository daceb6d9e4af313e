/** A plan in as few words as a model needs: its state, its pending approvals, and its result. */
import { MCP_STEPS_MAX, type McpApproval, type McpPlan, type McpStep } from "@planwright/api";
import { type ApprovalView, definedOnly, type PlanView, type StepView } from "@planwright/plan";

const GOAL_CHARS_MAX = 500;
const PREVIEW_CHARS_MAX = 300;

/** @param whole - Ids of steps whose outputs are wanted whole. */
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
