/** Metrics of plans that ended: success, latency, cost. */
import { PlannedBy } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const Period = z.enum(["hour", "day", "week"]);
export type Period = z.output<typeof Period>;

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
  period: Period.optional().meta({
    description: "Also returns the metrics of every hour, day or week (UTC).",
  }),
  strategy: PlannedBy.optional().meta({ description: "Only plans with this strategy." }),
});

const Count = z.int().nonnegative();
/** Null when there is nothing to divide by. */
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
  timeToCompletionMs: z.object({ mean: Ratio, p50: Ratio, p95: Ratio }).meta({
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

export const Metrics = z.object({
  from: Moment.optional(),
  to: Moment,
  strategy: PlannedBy.optional(),
  all: PlanMetrics,
  byStrategy: z.array(PlanMetrics.extend({ strategy: PlannedBy })).meta({
    description: "Only strategies with plans. `submitted`: predefined plans.",
  }),
  period: Period.optional(),
  byPeriod: z
    .array(PlanMetrics.extend({ from: Moment, to: Moment }))
    .optional()
    .meta({
      description:
        "All periods, oldest first, including those without plans. The first and last can be incomplete.",
    }),
});
export type Metrics = z.output<typeof Metrics>;

export const getMetrics = defineEndpoint({
  id: "getMetrics",
  method: "GET",
  path: "/v1/metrics",
  oldPaths: ["/v1/kpis"],
  tag: "system",
  summary: "Get metrics of finished plans, in total, by strategy and by period",
  query: MetricsQuery,
  responses: { 200: Metrics },
});

export const getPrometheusMetrics = defineEndpoint({
  id: "getPrometheusMetrics",
  method: "GET",
  path: "/metrics",
  tag: "system",
  summary: "Get the metrics of the system in Prometheus text format",
  responses: { 200: { mediaTypes: ["text/plain"], description: "Prometheus text format 0.0.4." } },
});
