import type { Mark, PlanSpan, Timeline } from "@planwright/plan/timeline";
import { formatDuration, formatTick } from "../ui/format.ts";
import { share } from "./bar-view.tsx";
import { ticksOf } from "./time-scale.ts";
import { TIMELINE_AXIS, SPANS, MARKS } from "./timeline-words.ts";
import styles from "./timeline-chart.module.css";

/** Number of axis lines across the visible width. */
const TICKS_SEEN = 6;

type Props = {
  readonly timeline: Timeline;
  readonly roomMs: number;
  readonly nowMs: number;
  readonly zoom: number;
};

/** The times, and below them what the plan as a whole did, with the moments that mattered. */
export function TimelineAxis({ timeline, roomMs, nowMs, zoom }: Props) {
  const ticks = ticksOf(roomMs, TICKS_SEEN * zoom);
  return (
    <>
      <div className={styles.timelineTicks} aria-hidden="true">
        {ticks.map((ms) => (
          <span key={ms} style={{ left: share(ms, roomMs) }}>
            {ms === 0 ? "0" : formatTick(ms)}
          </span>
        ))}
      </div>
      <ul className={styles.timelineSpans} aria-label={TIMELINE_AXIS.wholePlan}>
        {timeline.spans.map((span) => (
          <SpanView key={`${span.kind} ${span.startMs}`} span={span} roomMs={roomMs} nowMs={nowMs} />
        ))}
        {timeline.marks.map((mark, index) => (
          // Marks are only ever added.
          // oxlint-disable-next-line react/no-array-index-key
          <MarkView key={index} mark={mark} roomMs={roomMs} />
        ))}
      </ul>
    </>
  );
}

function SpanView({ span, roomMs, nowMs }: { span: PlanSpan; roomMs: number; nowMs: number }) {
  const { kind, startMs, endMs = nowMs } = span;
  const text = `${SPANS[kind]}: ${formatDuration(endMs - startMs)}`;
  return (
    <li
      className={styles.timelineSpan}
      data-kind={kind}
      title={text}
      style={{ left: share(startMs, roomMs), width: share(Math.max(0, endMs - startMs), roomMs) }}
    >
      <span>{SPANS[kind]}</span>
      <span className="visually-hidden"> {TIMELINE_AXIS.for(formatDuration(endMs - startMs))}</span>
    </li>
  );
}

function MarkView({ mark: { kind, atMs, text, cause }, roomMs }: { mark: Mark; roomMs: number }) {
  const { sign, name } = MARKS[kind];
  const why = [cause, text].filter((part) => part !== undefined && part !== "").join(", ");
  const words = `${name} after ${formatDuration(atMs)}${why === "" ? "" : `: ${why}`}`;
  return (
    <li className={styles.timelineMark} data-mark={kind} title={words} style={{ left: share(atMs, roomMs) }}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{words}</span>
    </li>
  );
}
