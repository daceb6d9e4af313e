import type { Mark, PlanSpan, Timeline } from "@planwright/plan/timeline";
import { formatDuration, formatTick } from "../ui/format.ts";
import { share } from "./bar-view.tsx";
import { ticksOf } from "./time-scale.ts";
import { TIMELINE_AXIS, SPANS, MARKS } from "./timeline-words.ts";

/** Number of axis lines across the visible width. */
const TICKS_SEEN = 6;

type Props = {
  readonly timeline: Timeline;
  readonly roomMs: number;
  readonly nowMs: number;
  readonly zoom: number;
};

/** The times, and below them the plan's own phases and milestones. */
export function TimelineAxis({ timeline, roomMs, nowMs, zoom }: Props) {
  const ticks = ticksOf(roomMs, TICKS_SEEN * zoom);
  return (
    <>
      <div className="relative h-5 overflow-hidden text-xs text-soft tabular-nums" aria-hidden="true">
        {ticks.map((ms, index) => (
          // Labels that do not fit before the next line wrap below the full height, where they are hidden.
          <span
            key={ms}
            className="absolute inset-y-0.75 flex flex-wrap overflow-hidden border-l border-line-strong pl-1 whitespace-nowrap before:h-full"
            style={{ left: share(ms, roomMs), width: share((ticks[index + 1] ?? roomMs) - ms, roomMs) }}
          >
            {ms === 0 ? "0" : formatTick(ms)}
          </span>
        ))}
      </div>
      <ul className="relative h-5" aria-label={TIMELINE_AXIS.wholePlan}>
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
      className="absolute top-px h-4 min-w-0.5 overflow-hidden rounded-sm border border-line-strong bg-idle-soft px-1 text-2xs leading-[14px] whitespace-nowrap text-soft data-[kind=answering]:bg-run-soft data-[kind=approval]:border-dashed data-[kind=approval]:bg-warn-soft data-[kind=drafting]:bg-run-soft data-[kind=paused]:border-dashed data-[kind=paused]:bg-warn-soft"
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
    // A plan ends when it is answered: the two marks are side by side.
    <li
      className="absolute top-px z-1 -ml-1.75 size-3.5 rounded-full border border-soft bg-raised text-center text-2xs leading-[12px] text-ink data-[mark=answer]:-ml-4.5 data-[mark=ended]:-ml-0.75"
      data-mark={kind}
      title={words}
      style={{ left: share(atMs, roomMs) }}
    >
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{words}</span>
    </li>
  );
}
