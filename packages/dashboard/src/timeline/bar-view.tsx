import type { Bar, Segment } from "@planwright/plan/timeline";
import { memo } from "react";
import { paintOf, patternOf } from "./patterns.tsx";

type Props = {
  readonly bar: Bar;
  /** The time that the full width represents. */
  readonly roomMs: number;
  /** The end of bars that are still running. */
  readonly nowMs: number;
  readonly isCritical: boolean;
};

/** One bar, its segments drawn to scale. */
export const BarView = memo(function BarView({ bar, roomMs, nowMs, isCritical }: Props) {
  const endMs = bar.endMs ?? nowMs;
  return (
    <svg className="block size-full overflow-visible" aria-hidden="true">
      {bar.segments.map((segment) => (
        <SegmentView key={segment.startMs} segment={segment} roomMs={roomMs} nowMs={nowMs} />
      ))}
      {isCritical && (
        <rect className="fill-critical" y="22" height="2" style={place(bar.startMs, endMs, roomMs)} />
      )}
      {bar.status === "failed" && (
        <svg
          className="fill-none stroke-bad"
          x={share(endMs, roomMs)}
          y="7"
          width="1"
          height="12"
          overflow="visible"
        >
          <path d="m2 2 7 8m0-8-7 8" strokeWidth="2.4" strokeLinecap="round" />
        </svg>
      )}
    </svg>
  );
});

function SegmentView({ segment, roomMs, nowMs }: { segment: Segment; roomMs: number; nowMs: number }) {
  const { kind, startMs, endMs = nowMs } = segment;
  const isThin = kind === "wait" || kind === "items";
  return (
    <rect
      {...paintOf(patternOf(segment))}
      data-kind={kind}
      data-why={segment.why}
      data-open={segment.endMs === undefined}
      data-ms={Math.round(endMs - startMs)}
      y={isThin ? 9 : 5}
      height={isThin ? 8 : 16}
      style={place(startMs, Math.max(startMs, endMs), roomMs)}
    />
  );
}

/** At least a hairline, so that a segment of a millisecond is visible too. */
function place(startMs: number, endMs: number, roomMs: number) {
  return { x: share(startMs, roomMs), width: `max(1.5px, ${share(endMs - startMs, roomMs)})` };
}

export function share(ms: number, roomMs: number): string {
  return `${((100 * ms) / roomMs).toFixed(4)}%`;
}
