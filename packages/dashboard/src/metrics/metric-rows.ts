/** The figures in words, as docs/metrics.md defines them. */
import type { Figures } from "../api/api-types.ts";
import { countText, dollarsText, meanCountText, percentText, ratioText, timeText } from "./number-words.ts";

type FigureRow = { readonly label: string; readonly of: (figures: Figures) => string };

export const FIGURES: readonly FigureRow[] = [
  { label: "Plans", of: ({ plans }) => countText(plans) },
  { label: "Partially succeeded", of: ({ partial }) => countText(partial) },
  { label: "Refused", of: ({ refused }) => countText(refused) },
  { label: "Success rate", of: ({ successRate }) => percentText(successRate) },
  { label: "Success without human edits", of: ({ unaidedRate }) => percentText(unaidedRate) },
  { label: "Time to completion, p50", of: ({ timeToCompletionMs: { p50 } }) => timeText(p50) },
  { label: "Time to completion, p95", of: ({ timeToCompletionMs: { p95 } }) => timeText(p95) },
  { label: "Planning time, mean", of: ({ planning: { meanMs } }) => timeText(meanMs) },
  { label: "Planning, share of total time", of: ({ planning: { share } }) => percentText(share) },
  { label: "Failed steps", of: ({ steps: { failureRate } }) => percentText(failureRate) },
  { label: "Revisions per plan", of: ({ replanning: { perPlan } }) => ratioText(perPlan) },
  {
    label: "Human edits per plan",
    of: ({ interventions: { editsPerPlan } }) => ratioText(editsPerPlan),
  },
  { label: "Effects per plan", of: ({ effects: { perPlan } }) => ratioText(perPlan) },
  { label: "Tool calls vs. minimum", of: ({ toolCalls }) => ratioText(toolCalls.ratio) },
  { label: "Model calls vs. minimum", of: ({ modelCalls }) => ratioText(modelCalls.ratio) },
  { label: "Tokens per plan", of: ({ tokens: { perPlan } }) => meanCountText(perPlan) },
  { label: "Cost per plan", of: ({ cost: { perPlan } }) => dollarsText(perPlan) },
  { label: "Rating (of 5)", of: ({ satisfaction: { mean } }) => ratioText(mean) },
];
