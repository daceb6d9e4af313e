/** The metrics as CSV: a line for each period, and a line for each tool. */
import type { Figures, Metrics } from "../api/api-types.ts";
import { type CsvCell, csvOf } from "../values/write-csv.ts";

type Field = readonly [name: string, of: (figures: Figures) => CsvCell];

/** Names and numbers as in the API. */
const FIELDS: readonly Field[] = [
  ["plans", ({ plans }) => plans],
  ["succeeded", ({ succeeded }) => succeeded],
  ["partial", ({ partial }) => partial],
  ["refused", ({ refused }) => refused],
  ["failed", ({ failed }) => failed],
  ["cancelled", ({ cancelled }) => cancelled],
  ["successRate", ({ successRate }) => successRate],
  ["unaidedRate", ({ unaidedRate }) => unaidedRate],
  ["p50Ms", ({ timeToCompletionMs }) => timeToCompletionMs.p50],
  ["p90Ms", ({ timeToCompletionMs }) => timeToCompletionMs.p90],
  ["p95Ms", ({ timeToCompletionMs }) => timeToCompletionMs.p95],
  ["p99Ms", ({ timeToCompletionMs }) => timeToCompletionMs.p99],
  ["steps", ({ steps }) => steps.ended],
  ["stepsFailed", ({ steps }) => steps.failed],
  ["revisions", ({ replanning }) => replanning.revisions],
  ["toolCalls", ({ toolCalls }) => toolCalls.made],
  ["modelCalls", ({ modelCalls }) => modelCalls.made],
  ["inputTokens", ({ tokens }) => tokens.input],
  ["outputTokens", ({ tokens }) => tokens.output],
  ["costUsd", ({ cost }) => cost.usd],
  ["plansOfUnknownCost", ({ cost }) => cost.plansUnknown],
];

export function periodsCsv({ byPeriod = [] }: Pick<Metrics, "byPeriod">): string {
  return csvOf([
    ["from", "to", ...FIELDS.map(([name]) => name)],
    ...byPeriod.map((period) => [period.from, period.to, ...FIELDS.map(([, of]) => of(period))]),
  ]);
}

export function toolsCsv({ byTool }: Pick<Metrics, "byTool">): string {
  return csvOf([
    ["tool", "steps", "failed", "failureRate", "retries", "meanMs", "maxMs"],
    ...byTool.map(({ tool, steps, failed, failureRate, retries, durationMs: { mean, max } }) => [
      tool,
      steps,
      failed,
      failureRate,
      retries,
      mean,
      max,
    ]),
  ]);
}
