/** The figures in words, as docs/figures.md defines them. */
import type { Figures } from "../api/api-types.ts";
import { formatDuration } from "../ui/format.ts";

type FigureRow = { readonly label: string; readonly of: (figures: Figures) => string };

const NONE = "–";

export const FIGURES: readonly FigureRow[] = [
  { label: "Plans", of: ({ plans }) => count(plans) },
  { label: "Success rate", of: ({ successRate }) => percent(successRate) },
  { label: "Success without a person's change", of: ({ unaidedRate }) => percent(unaidedRate) },
  { label: "Time to completion, median", of: ({ timeToCompletionMs: { p50 } }) => time(p50) },
  { label: "Time to completion, 95 of 100", of: ({ timeToCompletionMs: { p95 } }) => time(p95) },
  { label: "Planning, mean", of: ({ planning: { meanMs } }) => time(meanMs) },
  { label: "Planning, share of the time", of: ({ planning: { share } }) => percent(share) },
  { label: "Steps that failed", of: ({ steps: { failureRate } }) => percent(failureRate) },
  { label: "Revisions a plan", of: ({ replanning: { perPlan } }) => ratio(perPlan) },
  { label: "Changes by people a plan", of: ({ people: { editsPerPlan } }) => ratio(editsPerPlan) },
  { label: "Mutations a plan", of: ({ mutations: { perPlan } }) => ratio(perPlan) },
  { label: "Tool calls, against those needed", of: ({ toolCalls }) => ratio(toolCalls.ratio) },
  { label: "Model calls, against those needed", of: ({ modelCalls }) => ratio(modelCalls.ratio) },
  { label: "Tokens a plan", of: ({ tokens: { perPlan } }) => ratio(perPlan) },
  {
    label: "Cost a plan",
    of: ({ cost: { perPlan } }) => (perPlan === null ? NONE : `$${perPlan.toFixed(4)}`),
  },
  { label: "Rating, of 5", of: ({ satisfaction: { mean } }) => ratio(mean) },
];

function count(value: number): string {
  return value.toLocaleString("en");
}

function percent(value: number | null): string {
  return value === null ? NONE : `${(value * 100).toFixed(1)} %`;
}

function ratio(value: number | null): string {
  return value === null ? NONE : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

function time(value: number | null): string {
  return value === null ? NONE : formatDuration(value);
}
