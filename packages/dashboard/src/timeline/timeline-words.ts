/** The texts of the Timeline tab. */
import {
  type Mark,
  type PlanSpan,
  SEGMENT_KINDS,
  type Segment,
  type SegmentKind,
  type Sums,
  type WaitReason,
} from "@planwright/plan/timeline";
import { formatDuration } from "../ui/format.ts";

/** The name of each kind of time. */
export const KIND_NAMES: Readonly<Record<SegmentKind, string>> = {
  wait: "waiting",
  queue: "in the queue",
  model: "model",
  tool: "tool",
  "sub-plan": "sub-plan",
  items: "its items",
  retry: "retry backoff",
  reviewing: "review",
};

const WAITS: Readonly<Record<WaitReason, string>> = {
  dependencies: "for other steps",
  primary: "for the primary step",
  turn: "for its turn",
  draft: "for the draft",
  approval: "for approval",
  answer: "for an answer",
  budget: "for the budget",
  pause: "for the end of a pause",
  start: "for the plan to start",
  verdict: "for its condition or its list",
  redrive: "for a manual retry",
};

export function nameOfSegment({ kind, why, attempt }: Segment): string {
  const name = why === undefined ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} ${WAITS[why]}`;
  return attempt === undefined || attempt < 2 ? name : `${name}, attempt ${attempt}`;
}

/** The time of each kind, in the order of the kinds; kinds without time are omitted. */
export function partsOf(sums: Sums): { readonly kind: SegmentKind; readonly ms: number }[] {
  return SEGMENT_KINDS.flatMap((kind) => (sums[kind] > 0 ? [{ kind, ms: sums[kind] }] : []));
}

export function inWords(sums: Sums): string {
  const parts = partsOf(sums).map(({ kind, ms }) => `${KIND_NAMES[kind]} ${formatDuration(ms)}`);
  return parts.length === 0 ? "no time yet" : parts.join(", ");
}

export const SPANS: Readonly<Record<PlanSpan["kind"], string>> = {
  drafting: "drafting",
  critique: "draft reviewed",
  paused: "paused",
  approval: "needs approval",
  answering: "answering",
  start: "not started",
};

export const MARKS: Readonly<Record<Mark["kind"], { readonly sign: string; readonly name: string }>> = {
  sealed: { sign: "S", name: "plan complete" },
  revised: { sign: "R", name: "plan revised" },
  abandoned: { sign: "×", name: "draft abandoned" },
  paused: { sign: "‖", name: "paused" },
  resumed: { sign: "▸", name: "resumed" },
  cancelled: { sign: "×", name: "cancelled" },
  answer: { sign: "A", name: "answer" },
  ended: { sign: "■", name: "ended" },
};

export const TIMELINE_AXIS = {
  wholePlan: "Whole plan",
  for: (value: string | number) => `for ${value}`,
} as const;

export const TIMELINE_CHART = {
  step: "Step",
  chart: "Time by step",
  zoom: "Zoom",
  fit: "Fit",
  zoomOut: "Zoom out",
  zoomIn: "Zoom in",
  wholePlan: "whole plan",
  zoomed: (value: string | number) => `${value}×`,
} as const;

export const TIMELINE_LEGEND = {
  legend: "Legend, with totals over all steps",
  waitingForApproval: "waiting for approval",
  criticalPath: "critical path",
} as const;

export const TIMELINE_ROW = {
  itemsOf: (count: string | number, stepId: string | number) => `${count} items of ${stepId}`,
  subPlanOf: (name: string | number) => `Sub-plan of ${name}`,
  onTheCriticalPath: "on the critical path",
} as const;

export const TIMELINE_TAB = {
  loadingTimeline: "Loading timeline",
} as const;

export const TIMELINE_TIP = {
  wholeMs: (ms: string) => `${ms} ms`,
  moreParts: (value: string | number) => `${value} more parts`,
  fromTo: (startMs: string | number, endMs: string | number) => `from ${startMs} to ${endMs}`,
  onTheCriticalPath: "On the critical path.",
  slack: (slackMs: string | number) => `Slack: ${slackMs}.`,
} as const;
