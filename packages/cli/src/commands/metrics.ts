import { formatDuration, formatUsd } from "@planwright/plan/amounts";
import type { Metrics, MetricsQuery } from "@planwright/client";
import { Command, Option } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const Options = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  last: z.string().optional(),
  period: z.string().optional(),
});

type Row = readonly [name: string, metrics: Metrics["all"]];

const COLUMNS: readonly Column<Row>[] = [
  { title: "STRATEGY", of: ([name]) => name },
  { title: "PLANS", of: ([, { plans }]) => String(plans) },
  { title: "PARTIAL", of: ([, { partial }]) => String(partial) },
  { title: "REFUSED", of: ([, { refused }]) => String(refused) },
  { title: "SUCCESS", of: ([, { successRate }]) => percent(successRate) },
  { title: "MEDIAN", of: ([, { timeToCompletionMs }]) => time(timeToCompletionMs.p50) },
  { title: "P95", of: ([, { timeToCompletionMs }]) => time(timeToCompletionMs.p95) },
  { title: "STEPS FAILED", of: ([, { steps }]) => percent(steps.failureRate) },
  { title: "REVISIONS", of: ([, { replanning }]) => number(replanning.perPlan) },
  { title: "TOKENS", of: ([, { tokens }]) => number(tokens.perPlan) },
  { title: "COST", of: ([, { cost }]) => (cost.perPlan === null ? "-" : formatUsd(cost.perPlan)) },
  { title: "RATING", of: ([, { satisfaction }]) => number(satisfaction.mean) },
];

/** `planwright metrics`: success, times and cost of finished plans. */
export function metricsCommand(context: CommandContext, name = "metrics"): Command {
  return new Command(name)
    .description("Show metrics of finished plans, in total and by strategy (--json shows all)")
    .option("--from <time>", "Start time (inclusive), such as 2026-01-31")
    .option("--to <time>", "End time (exclusive)")
    .addOption(
      new Option("--last <range>", "Instead of --from: the time before --to").choices([
        "hour",
        "day",
        "week",
        "month",
      ]),
    )
    .addOption(
      new Option("--period <period>", "With --json: also report each period").choices([
        "auto",
        "minute",
        "ten-minutes",
        "hour",
        "day",
        "week",
      ]),
    )
    .action(async (given: unknown, command: Command) => {
      // The gateway checks the values.
      const query = Options.parse(given) as MetricsQuery;
      const reply = await clientOf(command, context).metrics.get(query);
      const output = outputOf(command, context);
      const rows: Row[] = [...reply.byStrategy.map((one): Row => [one.strategy, one]), ["all", reply.all]];
      output.result(reply, () => output.table(COLUMNS, rows));
      output.note("\nRevisions, tokens and cost are averages per plan.");
    });
}

function percent(value: number | null): string {
  return value === null ? "-" : `${(value * 100).toFixed(1)}%`;
}

function number(value: number | null): string {
  return value === null ? "-" : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

function time(value: number | null): string {
  return value === null ? "-" : formatDuration(value);
}
