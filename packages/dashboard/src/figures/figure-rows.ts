/** The figures in words, as docs/metrics.md defines them. */
import type { Figures } from "../api/api-types.ts";
import { countText, dollarsText, meanCountText, percentText, ratioText, timeText } from "./number-words.ts";

type FigureRow = { readonly label: string; readonly of: (figures: Figures) => string };

export const FIGURES: readonly FigureRow[] = [
  { label: "Plans", of: ({ plans }) => countText(plans) },
  { label: "Partially succeeded", of: ({ partial }) => countText(partial) },
  { label: "Refused", of: ({ refused }) => countText(refused) },
  { label: "Success rate", of: ({ successRate }) => percentText(successRate) },
  { label: "Success without a person's change", of: ({ unaidedRate }) => percentText(unaidedRate) },
  { label: "Time to completion, median", of: ({ timeToCompletionMs: { p50 } }) => timeText(p50) },
  { label: "Time to completion, 95 of 100", of: ({ timeToCompletionMs: { p95 } }) => timeText(p95) },
  { label: "Planning, mean", of: ({ planning: { meanMs } }) => timeText(meanMs) },
  { label: "Planning, share of the time", of: ({ planning: { share } }) => percentText(share) },
  { label: "Steps that failed", of: ({ steps: { failureRate } }) => percentText(failureRate) },
  { label: "Revisions a plan", of: ({ replanning: { perPlan } }) => ratioText(perPlan) },
  {
    label: "Changes by users per plan",
    of: ({ interventions: { editsPerPlan } }) => ratioText(editsPerPlan),
  },
  { label: "Effects per plan", of: ({ effects: { perPlan } }) => ratioText(perPlan) },
  { label: "Tool calls, against those needed", of: ({ toolCalls }) => ratioText(toolCalls.ratio) },
  { label: "Model calls, against those needed", of: ({ modelCalls }) => ratioText(modelCalls.ratio) },
  { label: "Tokens a plan", of: ({ tokens: { perPlan } }) => meanCountText(perPlan) },
  { label: "Cost a plan", of: ({ cost: { perPlan } }) => dollarsText(perPlan) },
  { label: "Rating, of 5", of: ({ satisfaction: { mean } }) => ratioText(mean) },
];
