/** Control events: requests from users and the gateway. */
import { z } from "zod";
import { ApprovalPolicy } from "../machine/approval/approval-policy.ts";
import { StoredBudget } from "../language/budget.ts";
import { PlanSize } from "../check/plan-size.ts";
import { ProgramSettings } from "../code-plan/program-settings.ts";
import { EgressRule } from "../egress/egress-rule.ts";
import { FactsPolicy } from "../facts/facts-policy.ts";
import { PlanId, StepId } from "../values/ids.ts";
import { JsonObject } from "../values/json.ts";
import { GatePolicy, Provenance } from "../policy/gate-policy.ts";
import { PAST_PLANS_MAX, PastPlan } from "../draft/past-plan.ts";
import { PlanDocument, Strategy } from "../language/plan-language.ts";
import { ReviewPolicy } from "../machine/review/review-policy.ts";
import { Priority } from "../sharing/priority.ts";
import { SourceName } from "../language/submission.ts";
import { InputText } from "../summarize/input-text.ts";
import { ToolName } from "../language/tool-spec.ts";
import { SearchSettings } from "../tree-search/search-settings.ts";
import { defineEvent } from "./define-event.ts";
import { CarriedStep, ForkOrigin } from "./fork.ts";
import { PlanTrace, ToolGrant, Attempt, Item } from "./values.ts";

/** The attempt of the step that requested the plan, and the plan's depth: 1 directly below a top-level plan. */
export const ParentStep = z.object({
  planId: PlanId,
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  depth: z.int().positive(),
});
export type ParentStep = z.infer<typeof ParentStep>;

/** An attempt of an ended plan that took effect, as its worker only reported after the end. */
export const UndoneEffect = z.object({ planId: PlanId, stepId: StepId, attempt: z.int().positive() });
export type UndoneEffect = z.infer<typeof UndoneEffect>;

/** A plan's first event. If it contains a `plan`, it also plans and seals the plan's steps. */
export const GoalSubmitted = defineEvent("goal.submitted", {
  goal: z.string(),
  goalTemplate: z.string().optional().meta({
    description:
      "For a sub-plan: the goal before outputs of the parent's steps were inserted; absent if none were.",
  }),
  tenant: z.string(),
  strategy: Strategy,
  plan: PlanDocument.optional(),
  grants: z
    .record(z.string(), ToolGrant)
    .meta({ description: "Permissions of the tools that a submitted plan uses, by tool name." }),
  constraints: z.array(z.string()),
  priority: Priority.optional().meta({
    description: "Priority among the tenant's plans; absent if it is `normal`.",
  }),
  tools: z.array(ToolName).optional(),
  sources: z.array(SourceName).optional(),
  approval: ApprovalPolicy,
  policy: GatePolicy.optional().meta({
    description:
      "The installation's policy at the time of submission. It applies to the plan even if the file changes later. Absent if there is no policy.",
  }),
  egress: EgressRule.meta({
    description: "Rule for URLs that a model composes after reading content.",
  }),
  derivedFrom: Provenance.optional().meta({
    description:
      "For sub-plans, forks of revised plans, and re-runs of either: tools of other plans whose outputs are part of the goal or plan. Absent if there are none.",
  }),
  submittedBy: z.string().max(256).optional().meta({
    description:
      "The identity of the key or user that submitted the plan. Absent if no credentials are required.",
  }),
  review: ReviewPolicy.optional(),
  planSize: PlanSize.optional().meta({
    description: "Number of steps that a model may plan; absent if the submission does not specify it.",
  }),
  unapprovedStepsMax: z.int().positive().meta({
    description: "A draft by a model with more steps than this needs approval.",
  }),
  maxReplans: z.int().nonnegative(),
  replanOnFailure: z.boolean(),
  requireSources: z.boolean().optional().meta({
    description: "Every sentence of the answer that contains a number or a name must cite a source.",
  }),
  facts: FactsPolicy,
  search: SearchSettings.optional().meta({
    description: "Settings of the strategy `tree-search`. Absent if not specified.",
  }),
  program: ProgramSettings.optional().meta({
    description: "Settings of the strategy `code`; absent if not specified.",
  }),
  budget: StoredBudget.optional(),
  inputCut: InputText.omit({ text: true }).optional().meta({
    description: "How the submitted input text was split. Its parts are in the steps.",
  }),
  learn: z
    .literal(false)
    .optional()
    .meta({ description: "False if the planner must not see earlier plans; otherwise absent." }),
  pastPlans: z.array(PastPlan).max(PAST_PLANS_MAX).optional().meta({
    description:
      "Similar plans that had finished before the submission, for the planner's model; the most similar first.",
  }),
  fork: ForkOrigin.optional().meta({
    description:
      "For a fork: the original plan, and the step from which it runs again. `plan` then contains the remaining steps.",
  }),
  carried: z.array(CarriedStep).optional(),
  rerunOf: PlanId.optional().meta({
    description: "For a re-run: the plan whose submission it repeats, with or without edits.",
  }),
  undoes: UndoneEffect.optional().meta({
    description:
      "For a plan that compensates a late effect of a finished plan: the attempt that caused the effect.",
  }),
  fusion: z.literal("off").optional().meta({
    description: "Set if light steps are not fused into units: each one has its own work message.",
  }),
  startAt: z.iso.datetime().optional().meta({ description: "No work of the plan is sent before this time." }),
  metadata: JsonObject,
  parent: ParentStep.optional().meta({ description: "For a sub-plan: the step that started it." }),
  bodyHash: z.string().meta({
    description: "SHA-256 of the body, to detect an idempotency key that is reused with a different body.",
  }),
  trace: PlanTrace,
}).named(() => "goal.submitted");
export type GoalSubmitted = z.infer<typeof GoalSubmitted>;

const Asked = {
  by: z.string().max(256).meta({
    description:
      "The identity of the key or user that sent the request; the tenant if no credentials are required.",
  }),
} as const;
const Reason = z.string().max(2_000);

export const CancelRequested = defineEvent("cancel.requested", {
  reason: Reason,
  ...Asked,
}).named(() => "cancel.requested");
export type CancelRequested = z.infer<typeof CancelRequested>;

/** Pauses of one plan are numbered from 1. */
const PauseNumber = z.int().positive();

export const PauseRequested = defineEvent("pause.requested", {
  pause: PauseNumber,
  reason: Reason,
  ...Asked,
}).named(({ pause }) => `pause.requested/${pause}`);
export type PauseRequested = z.infer<typeof PauseRequested>;

/** Ends the pause that it names, and no other. */
export const ResumeRequested = defineEvent("resume.requested", {
  pause: PauseNumber,
  ...Asked,
}).named(({ pause }) => `resume.requested/${pause}`);
export type ResumeRequested = z.infer<typeof ResumeRequested>;
