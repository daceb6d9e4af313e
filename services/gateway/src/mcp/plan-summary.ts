/** A plan in as few words as a model needs: what it is at, who waits for whom, and what came of it. */
import { type ApprovalView, definedOnly, PlanView, type StepView } from "@planwright/plan";
import { z } from "zod";

const STEPS_MAX = 100;
const GOAL_CHARS_MAX = 500;
const PREVIEW_CHARS_MAX = 300;

const PendingApproval = z.object({
  approvalId: z.string(),
  kind: z.string(),
  question: z.string(),
  choices: z.array(z.string()).describe("What plan_approve may decide."),
  stepId: z.string().optional(),
  tool: z.string().optional(),
  risk: z.string().optional(),
  args: z.record(z.string(), z.unknown()).optional().describe("The exact arguments that would run."),
  details: z.record(z.string(), z.unknown()).optional(),
  expiresAt: z.string(),
});

const StepSummary = z.object({
  id: z.string(),
  tool: z.string(),
  status: z.string(),
  description: z.string().optional(),
  error: z.string().optional(),
  output: z.unknown().optional().describe("Whole where it was asked for, else the start of it."),
});

export const PlanSummary = z.object({
  planId: z.string(),
  goal: z.string(),
  status: PlanView.shape.status,
  ended: z.boolean(),
  outcome: PlanView.shape.outcome,
  reason: z.string().optional(),
  progress: z.object({ done: z.int(), total: z.int(), percent: z.int() }),
  approvals: z.array(PendingApproval).describe("What waits for a person now."),
  steps: z.array(StepSummary).describe(`The first ${STEPS_MAX}.`),
  answer: z.object({ text: z.string(), status: z.string(), data: z.unknown().optional() }).optional(),
});
export type PlanSummary = z.output<typeof PlanSummary>;

/** @param whole - Ids of steps whose outputs are wanted whole. */
export function summaryOf(view: PlanView, whole: readonly string[] = []): PlanSummary {
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
    steps: view.steps.slice(0, STEPS_MAX).map((step) => stepOf(step, whole.includes(step.id))),
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
  expiresAt,
}: ApprovalView): z.output<typeof PendingApproval> {
  return {
    approvalId,
    kind,
    question,
    choices,
    expiresAt,
    ...definedOnly({ stepId, tool, risk, args, details }),
  };
}

function stepOf(step: StepView, isWhole: boolean): z.output<typeof StepSummary> {
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

function answerOf({
  text,
  status,
  data,
}: NonNullable<PlanView["answer"]>): NonNullable<PlanSummary["answer"]> {
  return { text, status, ...(data === undefined ? {} : { data }) };
}
