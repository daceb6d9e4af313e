import { type Timeline, timelineOf, totalsOf } from "@planwright/plan/timeline";
import { useContext, useMemo, useState } from "react";
import { PlanClockContext, usePlanNow } from "../clock/plan-clock.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { PLAN_WORDS } from "../plan/plan-words.ts";
import { ranksOf, useSlowestFirst } from "../plan/step-order.ts";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/notice.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Problem } from "../ui/problem.tsx";
import { Patterns } from "./patterns.tsx";
import { roomFor } from "./time-scale.ts";
import { TimelineChart } from "./timeline-chart.tsx";
import { TimelineLegend } from "./timeline-legend.tsx";
import { timelineRows } from "./timeline-rows.ts";
import { TIMELINE_TAB } from "./timeline-words.ts";
import type { PlanView } from "../api/api-types.ts";
import { usePlanLog } from "../plan/plan-log.ts";
import { useHistoryField } from "../plan/use-history.ts";
import type { Loaded } from "../ui/use-loaded.ts";

/** How the plan spent its time, step by step. */
export function TimelineTab(props: TabProps) {
  const { view } = props;
  const loaded = useTimeline(view);
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  if (loaded.phase === "loading")
    return <Loading className="tab-loading" what={TIMELINE_TAB.loadingTimeline} />;
  const { timeline, nowMs } = loaded.value;
  if (timeline === undefined) return <EmptyState of="longTimeline" />;
  if (timeline.steps.length === 0) return <EmptyState of={view.ended ? "noSteps" : "planning"} />;
  return <Chart {...props} timeline={timeline} nowMs={nowMs} />;
}

function Chart({
  view,
  selected,
  onSelectStep,
  timeline,
  nowMs,
}: TabProps & { timeline: Timeline; nowMs: number }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const clock = useContext(PlanClockContext);
  const [isSlowestFirst, toggleOrder] = useSlowestFirst();
  const rows = useMemo(() => {
    if (!isSlowestFirst) return timelineRows(timeline, view, opened);
    const rank = ranksOf(view.steps, clock.now());
    const steps = timeline.steps.toSorted((left, right) => rank(left.stepId) - rank(right.stepId));
    return timelineRows({ ...timeline, steps }, view, opened);
    // The order of running steps changes with the view, not every second.
  }, [timeline, view, opened, isSlowestFirst, clock]);
  const toggle = (stepId: string) => setOpened(opened.symmetricDifference(new Set([stepId])));
  const isOver = timeline.endedMs !== undefined;
  return (
    <div className="pt-2.5" data-part="timeline">
      <Patterns />
      <div className="flex items-start justify-between gap-3 px-4 pb-2">
        <TimelineLegend timeline={timeline} totals={totalsOf(timeline, nowMs)} />
        <Button
          className="flex-none aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
          aria-pressed={isSlowestFirst}
          onClick={toggleOrder}
        >
          {PLAN_WORDS.slowestFirst}
        </Button>
      </div>
      <TimelineChart
        view={view}
        timeline={timeline}
        rows={rows}
        nowMs={nowMs}
        roomMs={isOver ? Math.max(1, nowMs) : roomFor(nowMs)}
        selected={selected}
        onSelect={onSelectStep}
        onToggle={toggle}
      />
    </div>
  );
}

type TimelineNow = {
  /** Undefined if the beginning of the log is no longer stored. */
  readonly timeline: Timeline | undefined;
  /** Time since the plan's submission: the end of bars that are still running. */
  readonly nowMs: number;
};

/** The timeline of the view, which can be a past one. All running bars grow with the same clock. */
function useTimeline(view: PlanView): Loaded<TimelineNow> {
  const past = useHistoryField();
  const loaded = usePlanLog(view);
  const events = loaded.phase === "ready" ? loaded.value : undefined;
  const timeline = useMemo(() => timelineOf((events ?? []).map(({ event }) => event)), [events]);
  const isLive = past === undefined && !view.ended;
  const now = usePlanNow();
  if (loaded.phase !== "ready") return loaded;
  const { submittedAtMs = now, lastMs = 0, endedMs } = timeline ?? {};
  // The clocks of two servers can differ: never before the last event.
  const nowMs = isLive ? Math.max(lastMs, now - submittedAtMs) : (endedMs ?? lastMs);
  return { phase: "ready", value: { timeline, nowMs } };
}
