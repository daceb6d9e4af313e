import { SEGMENT_KINDS, type Sums, type Timeline } from "@planwright/plan/timeline";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { KIND_NAMES, TIMELINE_LEGEND } from "./timeline-words.ts";
import { fillOf, patternOf, type PatternName } from "./patterns.tsx";
import timelineStyles from "./timeline.module.css";
import timelineChartStyles from "./timeline-chart.module.css";

type Props = { readonly timeline: Timeline; readonly totals: Sums };

/** What the patterns mean, and what all steps together have spent on each. */
export function TimelineLegend({ timeline, totals }: Props) {
  const isForPeople = timeline.steps.some(({ segments, items }) =>
    [segments, ...items.map((item) => item.segments)].flat().some((one) => patternOf(one) === "person"),
  );
  return (
    <ul className={timelineStyles.timelineLegend} aria-label={TIMELINE_LEGEND.legend}>
      {SEGMENT_KINDS.filter((kind) => totals[kind] > 0).map((kind) => (
        <li key={kind} data-kind={kind} data-ms={Math.round(totals[kind])}>
          <Swatch name={kind} />
          {KIND_NAMES[kind]}{" "}
          <span className={timelineStyles.timelineSum}>{formatDuration(totals[kind])}</span>
        </li>
      ))}
      {isForPeople && (
        <li>
          <Swatch name="person" /> {TIMELINE_LEGEND.waitingForApproval}
        </li>
      )}
      <li>
        <Icon name="critical" size={10} /> {TIMELINE_LEGEND.criticalPath}
      </li>
    </ul>
  );
}

export function Swatch({ name }: { name: PatternName }) {
  return (
    <svg width="20" height="12" aria-hidden="true">
      <rect
        className={timelineChartStyles.timeSegment}
        data-time={name}
        width="20"
        height="12"
        fill={fillOf(name)}
      />
    </svg>
  );
}
