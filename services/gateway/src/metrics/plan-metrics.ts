/** The Prometheus metrics of ended plans: by strategy and outcome, never by plan or tenant. */
import { DURATION_CLASSES_MS, type TotalName, withinName } from "../figures/figures-table.ts";
import type { FigureTotal } from "../figures/read-totals.ts";
import type { Metric } from "./render-metrics.ts";

const MS_PER_SECOND = 1_000;

type Part = readonly [labels: string, column: TotalName];

/** Counters summed over the outcomes, each with its parts: the labels besides the strategy, and the column to sum. */
const COUNTERS: readonly { name: string; help: string; parts: readonly Part[]; unit?: number }[] = [
  {
    name: "planwright_plan_seconds_total",
    help: "Total duration of plans, from the submission or the requested start time to the end.",
    parts: [["", "durationMs"]],
    unit: MS_PER_SECOND,
  },
  {
    name: "planwright_planning_seconds_total",
    help: "Total time until the first draft was complete, for plans that a model drafted.",
    parts: [["", "planningMs"]],
    unit: MS_PER_SECOND,
  },
  {
    name: "planwright_planned_seconds_total",
    help: "Total duration of the plans that planwright_planning_seconds_total includes.",
    parts: [["", "plannedMs"]],
    unit: MS_PER_SECOND,
  },
  {
    name: "planwright_plan_steps_total",
    help: "Steps that finished.",
    parts: [["", "steps"]],
  },
  {
    name: "planwright_plan_steps_failed_total",
    help: "Steps that failed permanently.",
    parts: [["", "stepsFailed"]],
  },
  { name: "planwright_replans_total", help: "Plan revisions.", parts: [["", "replans"]] },
  {
    name: "planwright_decisions_total",
    help: "Approvals, rejections and answers by users.",
    parts: [["", "decisions"]],
  },
  {
    name: "planwright_human_edits_total",
    help: "Human edits: edited plans, edited step arguments and forks.",
    parts: [
      ['kind="plan"', "planEdits"],
      ['kind="arguments"', "argumentEdits"],
      ['kind="fork"', "forks"],
    ],
  },
  {
    name: "planwright_mutations_total",
    help: "Successful steps and compensations that change something.",
    parts: [
      ['effect="idempotent"', "mutationsIdempotent"],
      ['effect="once"', "mutationsOnce"],
    ],
  },
  {
    name: "planwright_tool_calls_total",
    help: "Tool calls: attempts of steps and compensations.",
    parts: [["", "toolCalls"]],
  },
  {
    name: "planwright_tool_calls_needed_total",
    help: "Minimum number of tool calls that the final plans needed.",
    parts: [["", "toolCallsMin"]],
  },
  { name: "planwright_model_calls_total", help: "Model calls.", parts: [["", "modelCalls"]] },
  {
    name: "planwright_model_calls_needed_total",
    help: "Minimum number of model calls that the final plans needed.",
    parts: [["", "modelCallsMin"]],
  },
  {
    name: "planwright_tokens_total",
    help: "Input and output tokens of models.",
    parts: [
      ['kind="input"', "inputTokens"],
      ['kind="output"', "outputTokens"],
    ],
  },
  {
    name: "planwright_cost_usd_total",
    help: "Total cost of models in US dollars, for plans whose cost is known.",
    parts: [["", "costUsd"]],
  },
];

/** Counters continue across restarts; they start over when the projection is rebuilt. */
export function planMetrics(totals: readonly FigureTotal[]): Metric[] {
  const strategies = Map.groupBy(totals, ({ strategy }) => strategy);
  const perStrategy = (column: TotalName, unit = 1): [string, number][] =>
    Array.from(strategies, ([strategy, rows]) => [strategy, sum(rows, column) / unit]);
  const counters = COUNTERS.map(({ name, help, parts, unit }): Metric => {
    const values = parts.flatMap(([labels, column]) =>
      perStrategy(column, unit).map(([strategy, value]): [string, number] => [
        label(strategy, labels),
        value,
      ]),
    );
    return { name, help, type: "counter", values };
  });
  return [
    {
      name: "planwright_plans_ended_total",
      help: "Finished plans by strategy and outcome, without sub-plans. Plans whose answer is a refusal do not count as succeeded.",
      type: "counter",
      values: totals.map(({ strategy, outcome, plans }) => [label(strategy, `outcome="${outcome}"`), plans]),
    },
    {
      name: "planwright_plan_completion_seconds",
      help: "Time to completion of succeeded plans.",
      type: "histogram",
      values: totals.filter(({ outcome }) => outcome === "succeeded").flatMap(histogramOf),
    },
    ...counters,
    ...ratingMetrics(perStrategy),
  ];
}

function ratingMetrics(perStrategy: (column: TotalName) => [string, number][]): Metric[] {
  const gauge = (name: string, help: string, column: TotalName): Metric => ({
    name,
    help,
    type: "gauge",
    values: perStrategy(column).map(([strategy, value]) => [label(strategy), value]),
  });
  return [
    gauge("planwright_plans_rated", "Finished plans with a rating.", "rated"),
    gauge(
      "planwright_plan_rating_points",
      "Sum of the latest rating of each rated plan (1 to 5).",
      "ratingSum",
    ),
  ];
}

function histogramOf(total: FigureTotal): [string, number, string][] {
  const { strategy, plans, durationMs } = total;
  const classes = DURATION_CLASSES_MS.map((ms): [string, number, string] => [
    label(strategy, `le="${ms / MS_PER_SECOND}"`),
    total[withinName(ms)],
    "_bucket",
  ]);
  return [
    ...classes,
    [label(strategy, 'le="+Inf"'), plans, "_bucket"],
    [label(strategy), durationMs / MS_PER_SECOND, "_sum"],
    [label(strategy), plans, "_count"],
  ];
}

function label(strategy: string, more = ""): string {
  return `strategy="${strategy}"${more === "" ? "" : `,${more}`}`;
}

function sum(rows: readonly FigureTotal[], column: TotalName): number {
  return rows.reduce((total, row) => total + row[column], 0);
}
