/** Timelines of short logs, in seconds after the submission. */
import type { PlanEvent } from "../src/events/plan-event.ts";
import type { Bar, StepTimes, Timeline } from "../src/view/timeline/timeline.ts";
import { timelineOf } from "../src/view/timeline/timeline-of.ts";
import { AT } from "./facts.ts";

export const at = (seconds: number, event: PlanEvent): PlanEvent => ({ ...event, at: clock(seconds) });

export const clock = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1_000).toISOString();

/** An attempt from one second to another. */
export const ran = (from: number, to: number) => ({
  startedAt: clock(from),
  durationMs: (to - from) * 1_000,
});

export function timeline(...events: PlanEvent[]): Timeline {
  const found = timelineOf(events);
  if (found === undefined) throw new Error("there is no timeline");
  return found;
}

export function barOf({ steps }: Timeline, id: string): StepTimes {
  const found = steps.find(({ stepId }) => stepId === id);
  if (found === undefined) throw new Error(`there is no step ${id}`);
  return found;
}

/** A bar's parts as `kind why from-to`, in seconds. */
export function parts({ segments }: Bar): string[] {
  return segments.map(({ kind, why, startMs, endMs }) => {
    const name = why === undefined ? kind : `${kind} ${why}`;
    return `${name} ${startMs / 1_000}-${endMs === undefined ? "" : endMs / 1_000}`;
  });
}

export const partsOf = (id: string, ...events: PlanEvent[]): string[] =>
  parts(barOf(timeline(...events), id));
