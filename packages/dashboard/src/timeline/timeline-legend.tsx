import { SEGMENT_KINDS, type Sums, type Timeline } from "@planwright/plan/timeline";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { KIND_NAMES, TIMELINE_LEGEND } from "./timeline-words.ts";
import { paintOf, patternOf, type PatternName } from "./patterns.tsx";

const ITEM = "inline-flex items-center gap-1.5";

type Props = { readonly timeline: Timeline; readonly totals: Sums };

/** The meaning of the patterns, and the total time of all steps for each. */
export function TimelineLegend({ timeline, totals }: Props) {
  const isForPeople = timeline.steps.some(({ segments, items }) =>
    [segments, ...items.map((item) => item.segments)].flat().some((one) => patternOf(one) === "person"),
  );
  return (
    // Columns of equal width: sums that grow while the plan runs do not rewrap the legend.
    <ul
      className="grid flex-1 grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] gap-x-4.5 gap-y-1 text-sm text-soft"
      aria-label={TIMELINE_LEGEND.legend}
    >
      {SEGMENT_KINDS.filter((kind) => totals[kind] > 0).map((kind) => (
        <li className={ITEM} key={kind} data-kind={kind} data-ms={Math.round(totals[kind])}>
          <Swatch name={kind} />
          {KIND_NAMES[kind]} <span className="text-ink tabular-nums">{formatDuration(totals[kind])}</span>
        </li>
      ))}
      {isForPeople && (
        <li className={ITEM}>
          <Swatch name="person" /> {TIMELINE_LEGEND.waitingForApproval}
        </li>
      )}
      <li className={ITEM}>
        <Icon className="text-critical" name="critical" size={10} /> {TIMELINE_LEGEND.criticalPath}
      </li>
    </ul>
  );
}

export function Swatch({ name }: { name: PatternName }) {
  return (
    <svg width="20" height="12" aria-hidden="true">
      <rect {...paintOf(name)} width="20" height="12" />
    </svg>
  );
}
