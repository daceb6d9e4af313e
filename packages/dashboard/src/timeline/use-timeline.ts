import { type Timeline, timelineOf } from "@planwright/plan/timeline";
import { useMemo } from "react";
import type { PlanView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { usePlanLog } from "../plan/plan-log.ts";
import { useHistoryField } from "../plan/use-history.ts";
import type { Loaded } from "../ui/use-loaded.ts";

export type TimelineNow = {
  /** Undefined when the beginning of the log is not kept any more. */
  readonly timeline: Timeline | undefined;
  /** Since the plan's submission: where what still goes on has come to. */
  readonly nowMs: number;
};

/** The plan's timeline as of the view, which may be one of the past; what runs grows with one clock for all bars. */
export function useTimeline(view: PlanView): Loaded<TimelineNow> {
  const past = useHistoryField();
  const loaded = usePlanLog(view);
  const events = loaded.phase === "ready" ? loaded.value : undefined;
  const timeline = useMemo(() => timelineOf((events ?? []).map(({ event }) => event)), [events]);
  const isLive = past === undefined && !view.ended;
  const now = usePlanNow();
  if (loaded.phase !== "ready") return loaded;
  const { submittedAtMs = now, lastMs = 0, endedMs } = timeline ?? {};
  // Clocks of two servers may differ: never before the last event.
  const nowMs = isLive ? Math.max(lastMs, now - submittedAtMs) : (endedMs ?? lastMs);
  return { phase: "ready", value: { timeline, nowMs } };
}
