import {
  SEGMENT_KINDS,
  type Segment,
  type SegmentKind,
  type Sums,
  type WaitReason,
} from "@planwright/plan/timeline";
import { formatDuration } from "../ui/format.ts";

/** What each kind of time is called. */
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
  approval: "for an approval",
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

/** What there is of each kind, the kinds in their order; nothing of those that there is none of. */
export function partsOf(sums: Sums): { readonly kind: SegmentKind; readonly ms: number }[] {
  return SEGMENT_KINDS.flatMap((kind) => (sums[kind] > 0 ? [{ kind, ms: sums[kind] }] : []));
}

export function inWords(sums: Sums): string {
  const parts = partsOf(sums).map(({ kind, ms }) => `${KIND_NAMES[kind]} ${formatDuration(ms)}`);
  return parts.length === 0 ? "no time yet" : parts.join(", ");
}
