/** Control: what people and the gateway ask. */
import { z } from "zod";
import { ApprovalPolicy } from "../approval-policy.ts";
import { StoredBudget } from "../budget.ts";
import { JsonObject } from "../json.ts";
import { PlanDocument, Strategy } from "../plan-language.ts";
import { SourceName } from "../submission.ts";
import { ToolName } from "../tool-spec.ts";
import { defineEvent } from "./define-event.ts";
import { PlanTrace, ToolGrant } from "./values.ts";

/** A plan's first fact. With a `plan` in it, this also plans and seals the plan's steps. */
export const GoalSubmitted = defineEvent("goal.submitted", {
  goal: z.string(),
  tenant: z.string(),
  strategy: Strategy,
  plan: PlanDocument.optional(),
  /** The grants of the tools that a submitted plan uses, by tool name. */
  grants: z.record(z.string(), ToolGrant).default({}),
  constraints: z.array(z.string()),
  tools: z.array(ToolName).optional(),
  sources: z.array(SourceName).optional(),
  /** Absent in goals that are older than approvals: nothing of theirs waits. */
  approval: ApprovalPolicy.optional(),
  maxReplans: z.int().nonnegative(),
  budget: StoredBudget.optional(),
  metadata: JsonObject,
  /** SHA-256 of the body, so that a repeated key with another body is told apart. */
  bodyHash: z.string(),
  trace: PlanTrace,
});
export type GoalSubmitted = z.infer<typeof GoalSubmitted>;

export const CancelRequested = defineEvent("cancel.requested", {
  reason: z.string().max(2_000),
  by: z.string().max(128),
});
export type CancelRequested = z.infer<typeof CancelRequested>;
