/** Control: what people and the gateway ask. */
import { z } from "zod";
import { ApprovalPolicy } from "../approval-policy.ts";
import { StoredBudget } from "../budget.ts";
import { PlanSize } from "../check/plan-size.ts";
import { ProgramSettings } from "../code-plan/program-settings.ts";
import { EgressRule } from "../egress/egress-rule.ts";
import { FactsPolicy } from "../facts/facts-policy.ts";
import { PlanId, StepId } from "../ids.ts";
import { JsonObject } from "../json.ts";
import { GatePolicy, Provenance } from "../policy/gate-policy.ts";
import { PAST_PLANS_MAX, PastPlan } from "../past-plans/past-plan.ts";
import { PlanDocument, Strategy } from "../plan-language.ts";
import { ReviewPolicy } from "../review-policy.ts";
import { Priority } from "../sharing/priority.ts";
import { SourceName } from "../submission.ts";
import { InputText } from "../summarize/input-text.ts";
import { ToolName } from "../tool-spec.ts";
import { SearchSettings } from "../tree-search/search-settings.ts";
import { defineEvent } from "./define-event.ts";
import { ParentStep } from "./sub-plan-values.ts";
import { CarriedStep, ForkOrigin } from "./fork.ts";
import { PlanTrace, ToolGrant } from "./values.ts";

/** An attempt of an ended plan that took effect, as its worker said only after the end. */
export const UndoneEffect = z.object({ planId: PlanId, stepId: StepId, attempt: z.int().positive() });
export type UndoneEffect = z.infer<typeof UndoneEffect>;

/** A plan's first fact. With a `plan` in it, this also plans and seals the plan's steps. */
export const GoalSubmitted = defineEvent("goal.submitted", {
  goal: z.string(),
  goalTemplate: z.string().optional().meta({
    description:
      "Of a sub-plan: its goal before outputs of its parent's steps were put into it; absent when none were.",
  }),
  tenant: z.string(),
  strategy: Strategy,
  plan: PlanDocument.optional(),
  grants: z
    .record(z.string(), ToolGrant)
    .default({})
    .meta({ description: "The grants of the tools that a submitted plan uses, by tool name." }),
  constraints: z.array(z.string()),
  priority: Priority.optional().meta({
    description: "Beside the tenant's other plans; absent when it is normal, and in older goals.",
  }),
  tools: z.array(ToolName).optional(),
  sources: z.array(SourceName).optional(),
  approval: ApprovalPolicy.optional().meta({
    description: "Absent in goals that are older than approvals: nothing of theirs waits.",
  }),
  policy: GatePolicy.optional().meta({
    description:
      "The installation's policy at the submission, which holds for the plan whatever becomes of the file; absent when there is none, and in older goals.",
  }),
  egress: EgressRule.optional().meta({
    description:
      "What becomes of URLs that a model composes after it has read content; absent in older goals: nothing.",
  }),
  derivedFrom: Provenance.optional().meta({
    description:
      "Of a sub-plan, of the fork of a revised plan, and of a re-run of either: the tools of other plans whose outputs have reached its goal or plan; absent when there are none.",
  }),
  submittedBy: z.string().max(256).optional().meta({
    description:
      "The identity of the key or user that submitted it; absent where no credentials are needed, and in older goals.",
  }),
  review: ReviewPolicy.optional(),
  planSize: PlanSize.optional().meta({
    description: "How many steps a model may plan; absent when the submission does not say.",
  }),
  unapprovedStepsMax: z.int().positive().optional().meta({
    description:
      "A draft by a model with more steps waits for approval; absent in older goals: none does for its size.",
  }),
  maxReplans: z.int().nonnegative(),
  replanOnFailure: z.boolean().optional().meta({ description: "Absent in older goals: false." }),
  requireSources: z
    .boolean()
    .optional()
    .meta({ description: "Every sentence of the answer with a figure or a name must cite a source." }),
  facts: FactsPolicy.optional().meta({
    description: "Absent in goals that are older than facts: none are kept.",
  }),
  search: SearchSettings.optional().meta({
    description: "Of the strategy `tree-search`; absent in goals that do not say, and in older ones.",
  }),
  program: ProgramSettings.optional().meta({
    description: "Of the strategy `code`; absent in goals that do not say.",
  }),
  budget: StoredBudget.optional(),
  inputCut: InputText.omit({ text: true }).optional().meta({
    description:
      "How the submitted text was cut, when the plan was made from one: its parts are in the steps.",
  }),
  learn: z
    .literal(false)
    .optional()
    .meta({ description: "False when the planner must not see earlier plans; absent otherwise." }),
  pastPlans: z.array(PastPlan).max(PAST_PLANS_MAX).optional().meta({
    description:
      "Similar plans that had ended when it was submitted, for whoever drafts it; the most similar first.",
  }),
  fork: ForkOrigin.optional().meta({
    description:
      "Of a plan that was forked: where it came from, and what it has from there. `plan` is then the rest.",
  }),
  carried: z.array(CarriedStep).optional(),
  rerunOf: PlanId.optional().meta({
    description: "Of a plan that was run again: the plan whose submission it repeats, with or without edits.",
  }),
  undoes: UndoneEffect.optional().meta({
    description: "Of a plan that compensates a late effect of an ended plan: the attempt that caused it.",
  }),
  startAt: z.iso.datetime().optional().meta({ description: "Nothing of the plan is sent before this time." }),
  metadata: JsonObject,
  parent: ParentStep.optional().meta({ description: "The step that started it; set for a sub-plan." }),
  bodyHash: z
    .string()
    .meta({ description: "SHA-256 of the body, so that a repeated key with another body is told apart." }),
  trace: PlanTrace,
});
export type GoalSubmitted = z.infer<typeof GoalSubmitted>;

const Asked = {
  by: z.string().max(256).meta({
    description: "The identity of the key or user that asked; the tenant where no credentials are needed.",
  }),
} as const;
const Reason = z.string().max(2_000);

export const CancelRequested = defineEvent("cancel.requested", {
  reason: Reason,
  ...Asked,
});
export type CancelRequested = z.infer<typeof CancelRequested>;

/** Pauses of one plan count from 1. */
const PauseNumber = z.int().positive();

export const PauseRequested = defineEvent("pause.requested", {
  pause: PauseNumber,
  reason: Reason,
  ...Asked,
});
export type PauseRequested = z.infer<typeof PauseRequested>;

/** Ends the pause that it names, and no other. */
export const ResumeRequested = defineEvent("resume.requested", { pause: PauseNumber, ...Asked });
export type ResumeRequested = z.infer<typeof ResumeRequested>;
