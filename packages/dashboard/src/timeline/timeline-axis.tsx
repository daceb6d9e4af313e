import type { Mark, PlanSpan, Timeline } from "@planwright/plan/timeline";
import { formatDuration, formatTick } from "../ui/format.ts";
import { share } from "./bar-view.tsx";
import { ticksOf } from "./time-scale.ts";
import styles from "./timeline-chart.module.css";

/** Lines of the axis over the width of what is seen at once. */
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
      <ul className={styles.timelineSpans} aria-label="Whole plan">
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

const SPANS: Readonly<Record<PlanSpan["kind"], string>> = {
  drafting: "drafting",
  critique: "draft reviewed",
  paused: "paused",
  approval: "needs approval",
  answering: "answering",
  start: "not started",
};

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
      <span className="visually-hidden"> for {formatDuration(endMs - startMs)}</span>
    </li>
  );
}

const MARKS: Readonly<Record<Mark["kind"], { readonly sign: string; readonly name: string }>> = {
  sealed: { sign: "S", name: "plan complete" },
  revised: { sign: "R", name: "plan revised" },
  abandoned: { sign: "×", name: "draft abandoned" },
  paused: { sign: "‖", name: "paused" },
  resumed: { sign: "▸", name: "resumed" },
  cancelled: { sign: "×", name: "cancelled" },
  answer: { sign: "A", name: "answer" },
  ended: { sign: "■", name: "ended" },
};

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
