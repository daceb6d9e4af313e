/** The options of a submission: the body of `POST /v1/plans` and of the WebSocket's `submit`. */
import { z } from "zod";
import { ApprovalPolicy } from "../machine/approval/approval-policy.ts";
import { Budget } from "./budget.ts";
import { PlanSize } from "../check/plan-size.ts";
import { ProgramSettings } from "../code-plan/program-settings.ts";
import { FactsPolicy } from "../facts/facts-policy.ts";
import { JsonValue } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { PlanDocument, Strategy } from "./plan-language.ts";
import { InputText } from "../summarize/input-text.ts";
import { ReviewPolicy } from "../machine/review/review-policy.ts";
import { Priority } from "../sharing/priority.ts";
import { ToolName } from "./tool-spec.ts";
import { SearchSettings } from "../tree-search/search-settings.ts";

/** The name of a data source, as used in `sql.query {source}`. */
export const SourceName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,63}$/, "wanted a letter, then letters, digits, _ or -");

export const Submission = z.strictObject({
  goal: z.string().trim().min(1).max(20_000).meta({ description: "The goal, in plain language." }),
  plan: PlanDocument.optional().meta({ description: "A predefined plan, to run without drafting." }),
  strategy: Strategy.default("auto"),
  input: InputText.optional().meta({
    description:
      "A long text that the goal is about. The strategy `summarize` reads it in parts; with an input, `auto` means `summarize`.",
  }),
  constraints: z
    .array(z.string().trim().min(1).max(2_000))
    .max(50)
    .default([])
    .meta({ description: "Sentences that are added to every planning and review prompt." }),
  tools: z
    .array(ToolName)
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "The only tools that the plan may use. Default: all." }),
  data: z
    .array(SourceName)
    .max(50)
    .optional()
    .meta({ description: "The only data sources that the plan may use. Default: all." }),
  approval: ApprovalPolicy.prefault({}).meta({ description: "What needs approval before it runs." }),
  review: ReviewPolicy.optional().meta({ description: "What is reviewed. Default: nothing." }),
  startAt: z.iso.datetime({ offset: true }).optional().meta({
    description: "When to start, up to a year ahead. If absent or in the past, the plan starts immediately.",
  }),
  search: SearchSettings.optional().meta({
    description: "Settings of the strategy `tree-search`. Other strategies ignore it.",
  }),
  program: ProgramSettings.optional().meta({
    description: "Settings of the strategy `code`. Other strategies ignore it.",
  }),
  planSize: PlanSize.optional().meta({
    description:
      "Number of steps that a model may plan. A draft outside these limits is repaired once. The strategies `direct`, `code`, `tree-search` and `summarize`, and predefined plans, ignore it.",
  }),
  maxReplans: z.int().min(0).max(20).default(LIMITS.replansMax),
  replanOnFailure: z.boolean().default(false).meta({
    description:
      "Whether a step that fails permanently causes a revision immediately. Otherwise, the results are evaluated when all other steps have finished.",
  }),
  requireSources: z.boolean().default(false).meta({
    description:
      "Whether every sentence of the answer that contains a number or a name must cite a step, document or URL of the plan. If one does not, the answer is partial and lists the sentences.",
  }),
  budget: Budget.optional().meta({
    description: "Hard limits for the whole plan. Default: none.",
  }),
  facts: FactsPolicy.default("off").meta({
    description:
      "Outputs from which a model extracts facts, with one call each: those larger than 4 KiB (`large`), or `all`. Planning and review prompts then contain the facts, and only the beginning of large outputs.",
  }),
  priority: Priority.optional().meta({
    description:
      "Priority among the tenant's plans when there are more steps than slots. A plan with priority `normal` gets four times as many slots as one with `low`, and `high` four times as many as `normal`. Default: `normal`, or the highest priority that the policy allows, if that is lower.",
  }),
  learn: z.boolean().default(true).meta({
    description:
      "Whether the planner's model sees how similar earlier plans of the same tenant ended, if the installation allows it.",
  }),
  metadata: z
    .record(z.string().min(1).max(128), JsonValue)
    .default({})
    .meta({ description: "Stored and searchable." }),
});
export type Submission = z.infer<typeof Submission>;
