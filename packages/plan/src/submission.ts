/** What a client may ask for: the body of `POST /v1/plans` and of the WebSocket's `submit`. */
import { z } from "zod";
import { ApprovalPolicy } from "./approval-policy.ts";
import { Budget } from "./budget.ts";
import { PlanSize } from "./check/plan-size.ts";
import { ProgramSettings } from "./code-plan/program-settings.ts";
import { FactsPolicy } from "./facts/facts-policy.ts";
import { JsonValue } from "./json.ts";
import { LIMITS } from "./limits.ts";
import { PlanDocument, Strategy } from "./plan-language.ts";
import { InputText } from "./summarize/input-text.ts";
import { ReviewPolicy } from "./review-policy.ts";
import { Priority } from "./sharing/priority.ts";
import { ToolName } from "./tool-spec.ts";
import { SearchSettings } from "./tree-search/search-settings.ts";

/** The name of a data source: what `sql.query {source}` says. */
export const SourceName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,63}$/, "wanted a letter, then letters, digits, _ or -");

export const Submission = z.strictObject({
  goal: z.string().trim().min(1).max(20_000).meta({ description: "What is wanted, in words." }),
  plan: PlanDocument.optional().meta({ description: "A plan to run as it is, without drafting." }),
  strategy: Strategy.default("auto"),
  input: InputText.optional().meta({
    description:
      "A long text that the goal is about: read in parts by the strategy `summarize`, which `auto` then is.",
  }),
  constraints: z
    .array(z.string().trim().min(1).max(2_000))
    .max(50)
    .default([])
    .meta({ description: "Sentences given to every planning and judging prompt." }),
  tools: z
    .array(ToolName)
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "The only tools the plan may use; all when absent." }),
  data: z
    .array(SourceName)
    .max(50)
    .optional()
    .meta({ description: "The only data sources the plan may use; all when absent." }),
  approval: ApprovalPolicy.prefault({}).meta({ description: "What waits for a person before it runs." }),
  review: ReviewPolicy.optional().meta({ description: "What is judged: nothing when absent." }),
  startAt: z.iso.datetime({ offset: true }).optional().meta({
    description: "When to start, at most a year ahead; at once when absent or past.",
  }),
  search: SearchSettings.optional().meta({
    description: "How far the strategy `tree-search` looks; other strategies have no use for it.",
  }),
  program: ProgramSettings.optional().meta({
    description: "How the strategy `code` writes its program; other strategies have no use for it.",
  }),
  planSize: PlanSize.optional().meta({
    description:
      "How many steps a model may plan; a draft outside these bounds is repaired once. The strategies `direct`, `code`, `tree-search` and `summarize`, and plans that are submitted whole, have no use for it.",
  }),
  maxReplans: z.int().min(0).max(20).default(LIMITS.replansMax),
  replanOnFailure: z.boolean().default(false).meta({
    description:
      "A step that fails for good has the plan revised at once; otherwise the results are judged when all else is settled.",
  }),
  requireSources: z.boolean().default(false).meta({
    description:
      "Every sentence of the answer with a figure or a name must cite a step, document or URL of the plan; otherwise the answer is partial and names the sentences.",
  }),
  budget: Budget.optional().meta({
    description: "What the plan may use in all: hard limits. None when absent.",
  }),
  facts: FactsPolicy.default("off").meta({
    description:
      "Which outputs a model turns into facts, at one call each: those above 4 KiB (`large`), or `all`. Whoever plans and judges is then shown the facts, and of large outputs the start only.",
  }),
  priority: Priority.optional().meta({
    description:
      "Beside the tenant's other plans, where there are more steps than workers: of plans that all want more, one of priority `normal` gets four times the slots of one of `low`, and `high` four times those of `normal`. When absent: `normal`, or the highest that the policy allows, if that is lower.",
  }),
  learn: z.boolean().default(true).meta({
    description:
      "Whether the planner is shown how similar plans of before ended; only where the system allows it, and only of the same tenant.",
  }),
  metadata: z
    .record(z.string().min(1).max(128), JsonValue)
    .default({})
    .meta({ description: "Stored and searchable." }),
});
export type Submission = z.infer<typeof Submission>;
