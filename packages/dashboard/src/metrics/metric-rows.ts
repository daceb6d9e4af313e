/** The figures in words, as docs/metrics.md defines them. */
import type { Figures } from "../api/api-types.ts";
import { countText, dollarsText, meanCountText, percentText, ratioText, timeText } from "./number-words.ts";
import { METRIC_ROWS } from "./metrics-words.ts";

type FigureRow = { readonly label: string; readonly of: (figures: Figures) => string };

export const FIGURES: readonly FigureRow[] = [
  { label: METRIC_ROWS.plans, of: ({ plans }) => countText(plans) },
  { label: METRIC_ROWS.partiallySucceeded, of: ({ partial }) => countText(partial) },
  { label: METRIC_ROWS.refused, of: ({ refused }) => countText(refused) },
  { label: METRIC_ROWS.successRate, of: ({ successRate }) => percentText(successRate) },
  { label: METRIC_ROWS.successWithoutHumanEdits, of: ({ unaidedRate }) => percentText(unaidedRate) },
  { label: METRIC_ROWS.timeToCompletionP50, of: ({ timeToCompletionMs: { p50 } }) => timeText(p50) },
  { label: METRIC_ROWS.timeToCompletionP95, of: ({ timeToCompletionMs: { p95 } }) => timeText(p95) },
  { label: METRIC_ROWS.planningTimeMean, of: ({ planning: { meanMs } }) => timeText(meanMs) },
  { label: METRIC_ROWS.planningShareOfTotal, of: ({ planning: { share } }) => percentText(share) },
  { label: METRIC_ROWS.failedSteps, of: ({ steps: { failureRate } }) => percentText(failureRate) },
  { label: METRIC_ROWS.revisionsPerPlan, of: ({ replanning: { perPlan } }) => ratioText(perPlan) },
  {
    label: METRIC_ROWS.humanEditsPerPlan,
    of: ({ interventions: { editsPerPlan } }) => ratioText(editsPerPlan),
  },
  { label: METRIC_ROWS.effectsPerPlan, of: ({ effects: { perPlan } }) => ratioText(perPlan) },
  { label: METRIC_ROWS.toolCallsVsMinimum, of: ({ toolCalls }) => ratioText(toolCalls.ratio) },
  { label: METRIC_ROWS.modelCallsVsMinimum, of: ({ modelCalls }) => ratioText(modelCalls.ratio) },
  { label: METRIC_ROWS.tokensPerPlan, of: ({ tokens: { perPlan } }) => meanCountText(perPlan) },
  { label: METRIC_ROWS.costPerPlan, of: ({ cost: { perPlan } }) => dollarsText(perPlan) },
  { label: METRIC_ROWS.ratingOf5, of: ({ satisfaction: { mean } }) => ratioText(mean) },
];
