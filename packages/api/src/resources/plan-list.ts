/** Calls that list and count plans. */
import { AnswerStatus, FiguredOutcome, Outcome, PlanId, PlannedBy, PlanView } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { EXAMPLE_PLAN_ID } from "../plan-ids.ts";
import { PLAN_SORTS } from "../plan-sorts.ts";

const QUERY_CHARS_MAX = 500;
/** Maximum number of views that one request counts. */
const VIEWS_MAX = 40;
const VIEW_CHARS_MAX = 1_000;
const PAGE_MAX = 200;
const TOOL_CHARS_MAX = 200;
/** Redaction leaves our own names up to this length unchanged. */
const CURSOR_CHARS_MAX = 300;
/** A view counts at most this many plans. */
export const COUNTED_MAX = 1_000;

export const PlanStatus = PlanView.shape.status;
export type PlanStatus = z.output<typeof PlanStatus>;

const Moment = z.iso.datetime({ offset: true });
const Tool = z.string().min(1).max(TOOL_CHARS_MAX);

/** The filter of a plan list. */
export const PlanFilter = z.object({
  status: z
    .enum(["open", ...PlanStatus.options])
    .optional()
    .meta({ description: "`open`: all plans that have not finished." }),
  strategy: PlannedBy.optional().meta({
    description: "Strategy of the plan; `submitted` for predefined plans.",
  }),
  since: Moment.optional().meta({ description: "Submitted at this time or later." }),
  endedSince: Moment.optional().meta({ description: "Finished at this time or later." }),
  endedBefore: Moment.optional().meta({ description: "Finished before this time." }),
  outcome: FiguredOutcome.optional().meta({
    description:
      "Only finished plans with this outcome, as metrics count it: `refused` plans succeeded with an answer that refuses the goal, and `succeeded` excludes them.",
  }),
  tool: Tool.optional().meta({
    description: "Only finished plans in which a step of this tool, or of a sub-plan, has ended.",
  }),
  failedTool: Tool.optional().meta({
    description: "Only finished plans in which a step of this tool, or of a sub-plan, has failed.",
  }),
  subPlans: z.enum(["none"]).optional().meta({ description: "`none`: leaves out sub-plans, as metrics do." }),
  needs: z
    .enum(["approval", "person"])
    .transform(() => "approval" as const)
    .optional()
    .meta({
      description: "`approval`: only plans with a pending approval. `person` is its deprecated old name.",
    }),
  parent: PlanId.optional().meta({ description: "Only sub-plans of this plan." }),
  id: PlanId.optional().meta({
    description: "Beginning of the plan's id, case-sensitive. Sub-plans are included.",
  }),
  q: z
    .string()
    .trim()
    .max(QUERY_CHARS_MAX)
    // An empty search field matches everything.
    .transform((text) => (text === "" ? undefined : text))
    .optional()
    .meta({
      description: "Search terms. Each must be the beginning of a word in the goal, the metadata or the id.",
    }),
});
export type PlanFilter = z.output<typeof PlanFilter>;

export const PlanSort = z.enum(PLAN_SORTS);
export type PlanSort = z.output<typeof PlanSort>;

export const SortOrder = z.enum(["asc", "desc"]);
export type SortOrder = z.output<typeof SortOrder>;

const ListQuery = PlanFilter.extend({
  sort: PlanSort.default("started").meta({
    description:
      "What the list is sorted by. `started`: time of submission, also the order of plans with the same value. `steps`: number of steps. `goal` and `submittedBy` are compared as text without letter case, with every redaction rule applied, whatever the role sees. Plans without the value count as lowest.",
  }),
  order: SortOrder.default("desc").meta({ description: "`asc`: lowest or oldest first." }),
  limit: z.coerce
    .number()
    .pipe(z.int().min(1).max(PAGE_MAX))
    .default(50)
    .meta({ description: "Maximum number of plans on a page." }),
  cursor: z.string().max(CURSOR_CHARS_MAX).optional().meta({
    description: "The `nextCursor` of the previous page, which had the same `sort` and `order`.",
  }),
});

export const PlanSummary = z
  .object({
    planId: PlanId,
    goal: z.string().meta({ description: "Its first 500 characters." }),
    status: PlanStatus,
    ended: z.boolean().meta({ description: "Whether the plan has finished, whatever its status." }),
    outcome: Outcome.optional(),
    answerStatus: AnswerStatus.optional().meta({ description: "Status of the answer, once there is one." }),
    strategy: PlannedBy.optional().meta({ description: "Strategy of the plan." }),
    parent: PlanId.optional().meta({ description: "The parent of this sub-plan." }),
    submittedBy: z.string().optional().meta({
      description: "The identity of the key that submitted the plan; absent if no keys are set.",
    }),
    submittedAt: z.string(),
    endedAt: z.string().optional(),
    durationMs: z.int().optional().meta({
      description:
        "Milliseconds from the submission, or the requested start, to the end. Absent until the plan has finished.",
    }),
    tokens: z.int().optional().meta({
      description: "Input and output tokens so far, including those of sub-plans. Absent if unknown.",
    }),
    costUsd: z.number().optional().meta({
      description:
        "Cost so far in US dollars, including that of sub-plans. Absent if the price of a model is unknown.",
    }),
    progress: z.object({ done: z.int(), total: z.int(), percent: z.int() }),
    needsApproval: z
      .literal(true)
      .optional()
      .meta({ description: "Whether an approval of the plan is pending; absent if none is." }),
  })
  .meta({ description: "Summary of a plan, for lists." });
export type PlanSummary = z.output<typeof PlanSummary>;

export const PlanPage = z.object({
  plans: z.array(PlanSummary).meta({ description: "In the order of the request; newest first by default." }),
  nextCursor: z.string().optional().meta({ description: "Absent on the last page." }),
});
export type PlanPage = z.output<typeof PlanPage>;

/** The query of a list as a single string. */
const View = z
  .string()
  .max(VIEW_CHARS_MAX)
  .pipe(z.preprocess((text: string) => Object.fromEntries(new URLSearchParams(text)), PlanFilter));
const Views = z
  .string()
  .max(VIEW_CHARS_MAX)
  .transform((one) => [one]);
const CountQuery = z.object({
  of: z
    .union([Views, z.array(z.string()).max(VIEWS_MAX)])
    .pipe(z.array(View))
    .meta({
      description:
        "The query string of a list, such as `status=failed&strategy=code`, as one value. Empty for all plans. Repeat it to count several lists.",
    }),
});

export const PlanCount = z.object({
  count: z.int().min(0).max(COUNTED_MAX),
  more: z.boolean().meta({ description: "Whether there are more plans than were counted." }),
});
export type PlanCount = z.output<typeof PlanCount>;

export const PlanCounts = z.object({
  counts: z.array(PlanCount).meta({ description: "One for each `of`, in the same order." }),
});
export type PlanCounts = z.output<typeof PlanCounts>;

const tag = "plans";

export const listPlans = defineEndpoint({
  id: "listPlans",
  method: "GET",
  path: "/v1/plans",
  tag,
  summary: "List and search plans",
  description:
    "Returns one page at a time, newest plans first, or sorted by another value. Plans that are submitted meanwhile do not shift the following pages. A plan whose value changes between two requests can move across the boundary between pages.",
  query: ListQuery,
  responses: { 200: PlanPage },
  example: {
    response: {
      plans: [
        {
          planId: EXAMPLE_PLAN_ID,
          goal: "Which region sold most in the last quarter?",
          status: "running",
          ended: false,
          strategy: "parallel",
          submittedBy: "ann",
          submittedAt: "2026-01-31T10:00:00.000Z",
          tokens: 5_400,
          costUsd: 0.0123,
          progress: { done: 2, total: 5, percent: 40 },
        },
      ],
      nextCursor: "MTA0",
    },
  },
});

export const countPlans = defineEndpoint({
  id: "countPlans",
  method: "GET",
  path: "/v1/plans/counts",
  tag,
  summary: "Count the plans of several lists",
  description:
    "Each count stops at 1,000. Sub-plans are only counted with `parent`, `id` or `needs=approval`. Counts can be up to a second old.",
  query: CountQuery,
  responses: { 200: PlanCounts },
  example: { response: { counts: [{ count: 12, more: false }] } },
});
