/** What is drawn over time, of the figures that docs/metrics.md defines. */
import type { Figures } from "../api/api-types.ts";
import { dollarsText, type Figure, meanCountText, percentText, ratioText, timeText } from "./number-words.ts";

export type Trend = {
  readonly title: string;
  readonly text: (value: Figure) => string;
  /** Where the scale ends at least; what is larger makes it larger. */
  readonly top?: number;
  /** At most two, told apart by colour and by dashes. */
  readonly lines: readonly { readonly name: string; readonly of: (figures: Figures) => Figure }[];
};

export const TRENDS: readonly Trend[] = [
  {
    title: "Success rate",
    text: percentText,
    top: 1,
    lines: [
      { name: "succeeded", of: ({ successRate }) => successRate },
      { name: "without human edits", of: ({ unaidedRate }) => unaidedRate },
    ],
  },
  {
    title: "Time to completion",
    text: timeText,
    lines: [
      { name: "median", of: ({ timeToCompletionMs: { p50 } }) => p50 },
      { name: "p95", of: ({ timeToCompletionMs: { p95 } }) => p95 },
    ],
  },
  { title: "Cost per plan", text: dollarsText, lines: [{ name: "cost", of: ({ cost }) => cost.perPlan }] },
  {
    title: "Tokens per plan",
    text: meanCountText,
    lines: [{ name: "tokens", of: ({ tokens }) => tokens.perPlan }],
  },
  {
    title: "Revisions per plan",
    text: ratioText,
    top: 1,
    lines: [{ name: "revisions", of: ({ replanning }) => replanning.perPlan }],
  },
  {
    title: "Failed steps",
    text: percentText,
    top: 1,
    lines: [{ name: "failed", of: ({ steps }) => steps.failureRate }],
  },
];
