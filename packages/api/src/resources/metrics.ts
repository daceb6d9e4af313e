/** Metrics of finished plans: success, latency, cost. */
import { PlanId, PlannedBy } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

export const Period = z.enum(["minute", "ten-minutes", "hour", "day", "week"]);
export type Period = z.output<typeof Period>;

/** A time range that ends at `to`; a month has 30 days. */
export const MetricsRange = z.enum(["hour", "day", "week", "month"]);
export type MetricsRange = z.output<typeof MetricsRange>;

/** Maximum number of tools that one response lists separately. */
export const METRICS_TOOLS_MAX = 100;
/** Maximum number of slowest steps in one response. */
export const SLOWEST_STEPS_MAX = 20;

const Moment = z.iso.datetime();
const Time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: "wanted a date or a time, such as 2026-01-31 or 2026-01-31T10:00:00Z",
  })
  .transform((text) => Date.parse(text));

const MetricsQuery = z.strictObject({
  from: Time.optional().meta({
    description: "Start of the time range (inclusive). A date means midnight UTC.",
  }),
  to: Time.optional().meta({ description: "End of the time range (exclusive). Default: now." }),
  last: MetricsRange.optional().meta({
    description: "Instead of `from`: the hour, day, week or month (30 days) that ends at `to`.",
  }),
  period: z
    .enum([...Period.options, "auto"])
    .optional()
    .meta({
      description:
        "Also returns the metrics of each of these periods (UTC). `auto`: the shortest that makes no more than 60, starting shortly before the first plan of the range.",
    }),
  compare: z.enum(["previous"]).optional().meta({
    description:
      "`previous`: also returns the metrics of the same time before the range. Requires `from` or `last`.",
  }),
  strategy: PlannedBy.optional().meta({ description: "Only plans with this strategy." }),
  slowest: z.coerce
    .number()
    .int()
    .min(1)
    .max(SLOWEST_STEPS_MAX)
    .optional()
    .meta({ description: `Also returns this many of the slowest single steps; max ${SLOWEST_STEPS_MAX}.` }),
});

const Count = z.int().nonnegative();
/** Null when the denominator is zero. */
const Ratio = z.number().nonnegative().nullable();

export const PlanMetrics = z.object({
  plans: Count.meta({
    description: "Finished plans. Sub-plans count as part of the plan that started them.",
  }),
  succeeded: Count,
  partial: Count.meta({ description: "Plans with a partial answer." }),
  refused: Count.meta({
    description: "Plans that ran without errors, but answered that the goal is not supported or not valid.",
  }),
  failed: Count,
  cancelled: Count,
  successRate: Ratio.meta({
    description:
      "Share of succeeded plans among those that succeeded, partially succeeded or failed. Refused and cancelled plans do not count.",
  }),
  unaidedRate: Ratio.meta({
    description: "Share of plans that succeeded without human edits, among the same plans.",
  }),
  timeToCompletionMs: z.object({ mean: Ratio, p50: Ratio, p90: Ratio, p95: Ratio, p99: Ratio }).meta({
    description: "For succeeded plans: from the submission, or the requested start, to the end.",
  }),
  steps: z.object({ ended: Count, failed: Count, failureRate: Ratio }),
  replanning: z.object({ revisions: Count, perPlan: Ratio }),
  interventions: z.object({
    decisions: Count,
    planEdits: Count,
    argumentEdits: Count,
    forks: Count,
    editsPerPlan: Ratio,
  }),
  effects: z.object({ idempotent: Count, once: Count, perPlan: Ratio }),
  toolCalls: z.object({ made: Count, needed: Count, ratio: Ratio }),
  modelCalls: z.object({ made: Count, needed: Count, ratio: Ratio }),
  tokens: z.object({ input: Count, output: Count, perPlan: Ratio }),
  cost: z.object({
    usd: z.number().nonnegative().meta({ description: "For plans whose cost is known." }),
    plansUnknown: Count,
    perPlan: Ratio,
  }),
  planning: z
    .object({ plans: Count, meanMs: Ratio, share: Ratio })
    .meta({ description: "For plans that a model drafted: the time until the first draft was complete." }),
  satisfaction: z.object({ rated: Count, mean: Ratio }),
});
export type PlanMetrics = z.output<typeof PlanMetrics>;

/** One interval of the time range. */
const SpanMetrics = PlanMetrics.extend({ from: Moment, to: Moment });

export const ToolMetrics = z
  .object({
    tool: z.string(),
    steps: Count.meta({ description: "Steps that succeeded or failed permanently." }),
    failed: Count,
    failureRate: Ratio,
    retries: Count.meta({ description: "Attempts beyond the first of each step." }),
    durationMs: z
      .object({ mean: Ratio, max: Ratio })
      .meta({ description: "Of the last attempt of each step." }),
  })
  .meta({ description: "What the steps of a tool did. Steps that an approver rejected do not count." });
export type ToolMetrics = z.output<typeof ToolMetrics>;

export const SlowStep = z.object({
  planId: PlanId.meta({ description: "The plan that the step belongs to, which can be a sub-plan." }),
  goal: z.string().meta({ description: "The beginning of that plan's goal." }),
  stepId: z.string(),
  item: Count.optional().meta({ description: "For a step with `forEach`: the number of its item, from 0." }),
  tool: z.string(),
  durationMs: Count.meta({ description: "Of its last attempt." }),
  failed: z.boolean(),
});
export type SlowStep = z.output<typeof SlowStep>;

export const Metrics = z.object({
  from: Moment.optional(),
  to: Moment,
  strategy: PlannedBy.optional(),
  all: PlanMetrics,
  byStrategy: z.array(PlanMetrics.extend({ strategy: PlannedBy })).meta({
    description: "Only strategies with plans. `submitted`: predefined plans.",
  }),
  byTool: z.array(ToolMetrics).max(METRICS_TOOLS_MAX).meta({
    description:
      "By tool, the most failed steps first, then the most steps; the first 100. Without `human.ask`, `flow.wait` and `plan.run`, whose steps only wait.",
  }),
  slowestSteps: z.array(SlowStep).max(SLOWEST_STEPS_MAX).optional().meta({
    description:
      "The steps that took longest, if they were requested with `slowest`. Counts the same steps as `byTool`; deleted plans are left out.",
  }),
  previous: SpanMetrics.optional().meta({
    description: "The same time before the range, if it was requested with `compare`.",
  }),
  period: Period.optional(),
  byPeriod: z.array(SpanMetrics).optional().meta({
    description:
      "All periods, oldest first, including those without plans. The first and last can be incomplete.",
  }),
});
export type Metrics = z.output<typeof Metrics>;

const EXAMPLE_PLANS: PlanMetrics = {
  plans: 12,
  succeeded: 9,
  partial: 1,
  refused: 0,
  failed: 1,
  cancelled: 1,
  successRate: 0.8182,
  unaidedRate: 0.7273,
  timeToCompletionMs: { mean: 8_300, p50: 6_200, p90: 14_100, p95: 19_800, p99: 19_800 },
  steps: { ended: 61, failed: 2, failureRate: 0.0328 },
  replanning: { revisions: 1, perPlan: 0.0833 },
  interventions: { decisions: 3, planEdits: 0, argumentEdits: 1, forks: 0, editsPerPlan: 0.0833 },
  effects: { idempotent: 4, once: 2, perPlan: 0.5 },
  toolCalls: { made: 66, needed: 58, ratio: 1.1379 },
  modelCalls: { made: 41, needed: 36, ratio: 1.1389 },
  tokens: { input: 58_000, output: 9_400, perPlan: 5_616.7 },
  cost: { usd: 0.1476, plansUnknown: 0, perPlan: 0.0123 },
  planning: { plans: 10, meanMs: 1_900, share: 0.2289 },
  satisfaction: { rated: 2, mean: 4.5 },
};
const EXAMPLE: Metrics = {
  from: "2026-01-31T09:00:00.000Z",
  to: "2026-01-31T10:00:00.000Z",
  all: EXAMPLE_PLANS,
  byStrategy: [{ strategy: "parallel", ...EXAMPLE_PLANS }],
  byTool: [
    {
      tool: "web.search",
      steps: 18,
      failed: 2,
      failureRate: 0.1111,
      retries: 4,
      durationMs: { mean: 820, max: 4_100 },
    },
  ],
};

export const getMetrics = defineEndpoint({
  id: "getMetrics",
  method: "GET",
  path: "/v1/metrics",
  oldPaths: ["/v1/kpis"],
  tag: "system",
  summary: "Get metrics of finished plans, in total, by strategy and by period",
  query: MetricsQuery,
  responses: { 200: Metrics },
  example: { response: EXAMPLE },
});

export const getPrometheusMetrics = defineEndpoint({
  id: "getPrometheusMetrics",
  method: "GET",
  path: "/metrics",
  tag: "system",
  summary: "Get the metrics of the system in Prometheus text format",
  responses: { 200: { mediaTypes: ["text/plain"], description: "Prometheus text format 0.0.4." } },
});
