import { sumsOf } from "@planwright/plan/timeline";
import { whyWaiting } from "@planwright/plan/why-waiting";
import type { PlanView } from "../api/api-types.ts";
import { formatDuration } from "../ui/format.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { nameOfSegment, TIMELINE_TIP } from "./timeline-words.ts";
import { patternOf } from "./patterns.tsx";
import { Swatch } from "./timeline-legend.tsx";
import type { TimelineRow } from "./timeline-rows.ts";
import styles from "./timeline-tip.module.css";

/** More segments are added up. */
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

/** The split of the bar under the pointer; who listens has it in the row's name. */
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
      className={styles.timelineTip}
      aria-hidden="true"
      data-testid="timeline-tip"
      style={{ left, ...vertical }}
    >
      <p>
        <code>{name}</code> <StatusBadge status={status} plain />
      </p>
      {description !== "" && <p className={styles.timelineTipDescription}>{description}</p>}
      <table>
        <tbody>
          {segments.slice(0, SEGMENTS_MAX).map((segment) => (
            <tr key={segment.startMs}>
              <td>
                <Swatch name={patternOf(segment)} />
              </td>
              <td>{nameOfSegment(segment)}</td>
              <td className="number">{inMs((segment.endMs ?? nowMs) - segment.startMs)}</td>
            </tr>
          ))}
          {segments.length > SEGMENTS_MAX && (
            <tr>
              <td />
              <td>{TIMELINE_TIP.moreParts(segments.length - SEGMENTS_MAX)}</td>
              <td className="number">{inMs(restOf(segments.slice(SEGMENTS_MAX), nowMs))}</td>
            </tr>
          )}
          <tr className={styles.timelineTipSum}>
            <td />
            <td>{TIMELINE_TIP.fromTo(formatDuration(startMs), formatDuration(endMs))}</td>
            <td className="number">{inMs(endMs - startMs)}</td>
          </tr>
        </tbody>
      </table>
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

function inMs(ms: number): string {
  return `${Math.max(0, Math.round(ms)).toLocaleString("en")} ms`;
}
