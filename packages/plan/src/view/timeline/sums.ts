import {
  type Bar,
  type Segment,
  SEGMENT_KINDS,
  type SegmentKind,
  type StepTimes,
  type Timeline,
} from "./timeline.ts";

/** Milliseconds spent, by kind of segment. */
export type Sums = Readonly<Record<SegmentKind, number>>;

/** @param nowMs - The current time, since the plan's submission: the end of segments that are still open. */
export function sumsOf({ segments }: Pick<Bar, "segments">, nowMs: number): Sums {
  return add([segments], nowMs);
}

/**
 * The time that all runs of a plan have spent. Simultaneous runs each count, so the sum may exceed the plan's duration;
 * a step that runs for each item of a list counts by its items.
 */
export function totalsOf({ steps }: Pick<Timeline, "steps">, nowMs: number): Sums {
  const totals = add(steps.flatMap(leavesOf), nowMs);
  return { ...totals, items: 0 };
}

function leavesOf({ segments, items, undo }: StepTimes): (readonly Segment[])[] {
  const runs = [segments, ...items.map((item) => item.segments)];
  return undo === undefined ? runs : [...runs, undo.segments];
}

function add(bars: readonly (readonly Segment[])[], nowMs: number): Sums {
  const sums = Object.fromEntries(SEGMENT_KINDS.map((kind) => [kind, 0])) as Record<SegmentKind, number>;
  for (const segments of bars) {
    for (const { kind, startMs, endMs = nowMs } of segments) sums[kind] += Math.max(0, endMs - startMs);
  }
  return sums;
}
