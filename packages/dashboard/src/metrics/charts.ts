/** The charts over time, of the metrics that docs/metrics.md defines. */
import type { Figures } from "../api/api-types.ts";
import { CHART_NAMES, LINE_NAMES, OUTCOME_NAMES } from "./metrics-words.ts";
import { countText, dollarsText, type Figure, percentText, ratioText, timeText } from "./number-words.ts";

export type Outcome = keyof typeof OUTCOME_NAMES;

/** Bars: the parts of each period stacked, the first at the bottom. */
export type BarChart = {
  readonly title: string;
  readonly text: (value: number) => string;
  readonly parts: readonly {
    readonly name: string;
    readonly tone: "ok" | "warn" | "run" | "bad" | "idle";
    readonly of: (figures: Figures) => number;
    /** The plans behind the part, unless it covers the whole period. */
    readonly outcome?: Outcome;
  }[];
};

export type LineChart = {
  readonly title: string;
  readonly text: (value: Figure) => string;
  /** Minimum for the end of the scale; larger values extend it. */
  readonly top?: number;
  /** Max three, distinguished by colour and dashes. */
  readonly lines: readonly { readonly name: string; readonly of: (figures: Figures) => Figure }[];
};

const OUTCOME_TONES = {
  succeeded: "ok",
  partial: "warn",
  refused: "run",
  failed: "bad",
  cancelled: "idle",
} as const;

export const OUTCOMES: BarChart = {
  title: CHART_NAMES.outcomes,
  text: countText,
  parts: (Object.keys(OUTCOME_TONES) as Outcome[]).map((outcome) => ({
    name: OUTCOME_NAMES[outcome],
    tone: OUTCOME_TONES[outcome],
    of: (figures) => figures[outcome],
    outcome,
  })),
};

export const USAGE: readonly BarChart[] = [
  {
    title: CHART_NAMES.cost,
    text: dollarsText,
    parts: [{ name: LINE_NAMES.cost, tone: "run", of: ({ cost }) => cost.usd }],
  },
  {
    title: CHART_NAMES.tokens,
    text: countText,
    parts: [
      { name: LINE_NAMES.input, tone: "run", of: ({ tokens }) => tokens.input },
      { name: LINE_NAMES.output, tone: "warn", of: ({ tokens }) => tokens.output },
    ],
  },
];

export const TRENDS: readonly LineChart[] = [
  {
    title: CHART_NAMES.duration,
    text: timeText,
    lines: [
      { name: "p50", of: ({ timeToCompletionMs }) => timeToCompletionMs.p50 },
      { name: "p90", of: ({ timeToCompletionMs }) => timeToCompletionMs.p90 },
      { name: "p99", of: ({ timeToCompletionMs }) => timeToCompletionMs.p99 },
    ],
  },
  {
    title: CHART_NAMES.successRate,
    text: percentText,
    top: 1,
    lines: [
      { name: LINE_NAMES.succeeded, of: ({ successRate }) => successRate },
      { name: LINE_NAMES.unaided, of: ({ unaidedRate }) => unaidedRate },
    ],
  },
  {
    title: CHART_NAMES.failedSteps,
    text: percentText,
    top: 1,
    lines: [{ name: LINE_NAMES.failed, of: ({ steps }) => steps.failureRate }],
  },
  {
    title: CHART_NAMES.revisions,
    text: ratioText,
    top: 1,
    lines: [{ name: LINE_NAMES.revisions, of: ({ replanning }) => replanning.perPlan }],
  },
];
