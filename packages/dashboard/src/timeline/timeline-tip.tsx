import { sumsOf } from "@planwright/plan/timeline";
import { whyWaiting } from "@planwright/plan/why-waiting";
import clsx from "clsx";
import type { ReactNode } from "react";
import type { PlanView } from "../api/api-types.ts";
import { formatDuration } from "../ui/format.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { nameOfSegment, TIMELINE_TIP } from "./timeline-words.ts";
import { patternOf } from "./patterns.tsx";
import { Swatch } from "./timeline-legend.tsx";
import type { TimelineRow } from "./timeline-rows.ts";

/** Further segments are added up. */
const SEGMENTS_MAX = 10;
const WIDTH_PX = 320;
const GAP_PX = 14;

type Props = {
  readonly row: TimelineRow;
  readonly view: PlanView;
  readonly nowMs: number;
  readonly x: number;
  readonly y: number;
};

/** The segments of the bar under the pointer; for screen readers, the row's name contains them. */
export function TimelineTip({ row, view, nowMs, x, y }: Props) {
  const { name, description, status, bar, slackMs, isCritical, step } = row;
  const { segments, startMs, endMs = nowMs } = bar;
  const why =
    step === undefined || bar.endMs !== undefined
      ? undefined
      : whyWaiting(view, step, Date.parse(view.submittedAt) + nowMs);
  const left = Math.max(8, Math.min(x + GAP_PX, innerWidth - WIDTH_PX - 8));
  const isLow = y > innerHeight / 2;
  const vertical = isLow ? { bottom: innerHeight - y + GAP_PX } : { top: y + GAP_PX };
  return (
    <div
      className="pointer-events-none fixed z-20 grid w-80 max-w-[calc(100vw-16px)] gap-1 rounded-md border border-line bg-raised px-3 py-2.5 text-xs shadow-float"
      aria-hidden="true"
      data-testid="timeline-tip"
      style={{ left, ...vertical }}
    >
      <p>
        <code>{name}</code> <StatusBadge status={status} plain />
      </p>
      {description !== "" && <p className="line-clamp-3 text-soft">{description}</p>}
      <div className="grid grid-cols-[auto_1fr_auto] gap-x-1.5 gap-y-0.5">
        {segments.slice(0, SEGMENTS_MAX).map((segment) => (
          <Part
            key={segment.startMs}
            swatch={<Swatch name={patternOf(segment)} />}
            name={nameOfSegment(segment)}
            ms={(segment.endMs ?? nowMs) - segment.startMs}
          />
        ))}
        {segments.length > SEGMENTS_MAX && (
          <Part
            name={TIMELINE_TIP.moreParts(segments.length - SEGMENTS_MAX)}
            ms={restOf(segments.slice(SEGMENTS_MAX), nowMs)}
          />
        )}
        <Part
          className="mt-1 text-soft"
          name={TIMELINE_TIP.fromTo(formatDuration(startMs), formatDuration(endMs))}
          ms={endMs - startMs}
        />
      </div>
      {isCritical && <p>{TIMELINE_TIP.onTheCriticalPath}</p>}
      {slackMs !== undefined && slackMs >= 1 && <p>{TIMELINE_TIP.slack(formatDuration(slackMs))}</p>}
      {why !== undefined && <p>{why}</p>}
    </div>
  );
}

function restOf(segments: TimelineRow["bar"]["segments"], nowMs: number): number {
  const sums = Object.values(sumsOf({ segments }, nowMs));
  return sums.reduce((sum, ms) => sum + ms, 0);
}

type PartProps = {
  readonly swatch?: ReactNode;
  readonly name: string;
  readonly ms: number;
  readonly className?: string;
};

function Part({ swatch, name, ms, className }: PartProps) {
  return (
    <p className={clsx("col-span-full grid grid-cols-subgrid items-center", className)}>
      <span>{swatch}</span>
      <span>{name}</span>
      <span className="text-right tabular-nums">
        {TIMELINE_TIP.wholeMs(Math.max(0, Math.round(ms)).toLocaleString("en"))}
      </span>
    </p>
  );
}
