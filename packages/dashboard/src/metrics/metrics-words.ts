/** Every text of the metrics page. docs/metrics.md defines what the metrics mean. */
import type { MetricsRange, Period } from "../api/api-types.ts";

export const PAGE = {
  title: "Metrics",
  lead: "Finished plans; sub-plans count toward their parent.",
  range: "Time range",
  custom: "Custom",
  from: "From",
  to: "To",
  bucket: "Interval",
  autoBucket: "Automatic",
  strategy: "Strategy",
  allStrategies: "All",
  strategies: "By strategy",
  exportCsv: "Export CSV",
  table: "Show as table",
  customFault: "Enter a start that is before the end.",
} as const;

export const RANGE_NAMES: Readonly<Record<MetricsRange, string>> = {
  hour: "Last hour",
  day: "Last 24 hours",
  week: "Last 7 days",
  month: "Last 30 days",
};

/** The period that a tile is compared with. */
export const BEFORE: Readonly<Record<MetricsRange | "custom", string>> = {
  hour: "the hour before",
  day: "the 24 hours before",
  week: "the 7 days before",
  month: "the 30 days before",
  custom: "the same time before",
};

export const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  minute: "minute",
  "ten-minutes": "10 minutes",
  hour: "hour",
  day: "day",
  week: "week",
};

/** Keyed by the API's names. Refused plans succeeded without acting on the goal. */
export const OUTCOME_NAMES = {
  succeeded: "Succeeded",
  partial: "Partially succeeded",
  refused: "Refused",
  failed: "Failed",
  cancelled: "Cancelled",
} as const;

export const TILE_NAMES = {
  plans: "Finished plans",
  successRate: "Success rate",
  p50: "Time to completion, p50",
  p90: "Time to completion, p90",
  p99: "Time to completion, p99",
  failedSteps: "Failed steps",
  cost: "Cost",
  tokens: "Tokens",
} as const;

export const TILES = {
  label: "Summary",
  nothingBefore: "no earlier data",
  unchanged: (before: string) => `same as ${before}`,
  compared: (change: string, before: string) => `${change} vs. ${before}`,
  plansUnknown: (plans: string) => `without ${plans} of unknown cost`,
} as const;

export const CHART_NAMES = {
  outcomes: "Finished plans",
  successRate: "Success rate",
  duration: "Time to completion",
  cost: "Cost",
  tokens: "Tokens",
  failedSteps: "Failed steps",
  revisions: "Revisions per plan",
} as const;

export const LINE_NAMES = {
  succeeded: "succeeded",
  unaided: "without human edits",
  input: "input",
  output: "output",
  cost: "cost",
  failed: "failed",
  revisions: "revisions",
} as const;

export const CHARTS = {
  max: (value: string) => `max ${value}`,
  label: (title: string, period: string, max: string) => `${title} per ${period} (max ${max})`,
  lineLabel: (title: string, period: string) => `${title} by ${period}`,
  point: (at: string, values: string) => `${at}: ${values}. Show plans`,
  bar: (at: string, values: string) => `${at}: ${values}. Show plans`,
  value: (name: string, value: string) => `${name} ${value}`,
  totals: "Outcomes",
} as const;

export const SLOWEST_STEPS = {
  title: "Slowest steps",
  none: "No tool step finished.",
  step: "Step",
  plan: "Plan",
  tool: "Tool",
  duration: "Duration",
  failed: "failed",
  item: (item: number) => `item ${item}`,
} as const;

export const TOOLS = {
  failing: "Top failing tools",
  noFailures: "No step failed.",
  slowest: "Slowest tools",
  exportCsv: "Export tools as CSV",
  noSteps: "No tool step finished.",
  failed: (failed: string, steps: string, rate: string) => `${failed} of ${steps} (${rate})`,
  duration: (mean: string, max: string) => `mean ${mean}, max ${max}`,
} as const;

export const METRIC_ROWS = {
  plans: "Plans",
  partiallySucceeded: "Partially succeeded",
  refused: "Refused",
  successRate: "Success rate",
  successWithoutHumanEdits: "Success without human edits",
  timeToCompletionP50: "Time to completion, p50",
  timeToCompletionP95: "Time to completion, p95",
  planningTimeMean: "Planning time, mean",
  planningShareOfTotal: "Planning, share of total time",
  failedSteps: "Failed steps",
  revisionsPerPlan: "Revisions per plan",
  humanEditsPerPlan: "Human edits per plan",
  effectsPerPlan: "Effects per plan",
  toolCallsVsMinimum: "Tool calls vs. minimum",
  modelCallsVsMinimum: "Model calls vs. minimum",
  tokensPerPlan: "Tokens per plan",
  costPerPlan: "Cost per plan",
  ratingOf5: "Rating (of 5)",
} as const;
