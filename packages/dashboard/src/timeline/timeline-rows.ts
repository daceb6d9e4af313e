/** The rows of the timeline: one per step, in the plan's order, each followed by its items and its compensation. */
import { type Bar, type Segment, type Timeline, slackOf } from "@planwright/plan/timeline";
import type { PlanView, StepStatus, StepView } from "../api/api-types.ts";

export type TimelineRow = {
  /** Unique among all rows. */
  readonly key: string;
  readonly stepId: string;
  readonly name: string;
  readonly description: string;
  readonly status: StepStatus;
  readonly bar: Bar;
  readonly depth: 0 | 1;
  readonly isCritical: boolean;
  /** How much longer the step could have taken without delaying the plan; absent where unknown. */
  readonly slackMs?: number;
  /** For a step that runs for each entry of a list: the number of its rows, and whether they are shown. */
  readonly items?: { readonly count: number; readonly isOpen: boolean };
  /** The step in the view; absent if it is no longer in the plan. */
  readonly step?: StepView;
};

/** The height of a row. */
export const ROW_PX = 26;
/** Further items of a step are not shown one by one. */
export const ITEMS_SHOWN_MAX = 100;

/** @param opened - The steps whose items are shown. */
export function timelineRows(timeline: Timeline, view: PlanView, opened: ReadonlySet<string>): TimelineRow[] {
  const steps = new Map<string, StepView>(view.steps.map((step) => [step.id, step]));
  const critical = new Set<string>(view.criticalPath.stepIds);
  const slack = slackOf(timeline);
  return timeline.steps.flatMap((times) => {
    const { stepId, description, items, undo } = times;
    const step = steps.get(stepId);
    const isCritical = critical.has(stepId);
    const slackMs = isCritical ? undefined : slack.get(stepId);
    const isOpen = opened.has(stepId);
    const own: TimelineRow = {
      key: stepId,
      stepId,
      name: stepId,
      description,
      status: step?.status ?? statusOf(times),
      bar: times,
      depth: 0,
      isCritical,
      ...(slackMs === undefined ? {} : { slackMs }),
      ...(items.length === 0 ? {} : { items: { count: items.length, isOpen } }),
      ...(step === undefined ? {} : { step }),
    };
    const below = { stepId, depth: 1, isCritical: false, ...(step === undefined ? {} : { step }) } as const;
    const shown = isOpen ? items.slice(0, ITEMS_SHOWN_MAX) : [];
    const rows = shown.map((bar, item): TimelineRow => {
      const name = `${stepId} [${item}]`;
      return { ...below, key: name, name, description: `item ${item}`, status: statusOf(bar), bar };
    });
    if (undo === undefined) return [own, ...rows];
    const name = `undo ${stepId}`;
    return [own, ...rows, { ...below, key: name, name, description: "", status: statusOf(undo), bar: undo }];
  });
}

/** Derived from the bar alone: an unfinished step is running, under review, or waiting. */
function statusOf({ status, segments }: Bar): StepStatus {
  if (status !== "open") return status;
  switch (segments.at(-1)?.kind) {
    case "model":
    case "tool":
    case "sub-plan":
    case "items":
      return "running";
    case "queue":
      return "queued";
    case "reviewing":
      return "reviewing";
    default:
      return isForPeople(segments.at(-1)) ? "awaiting-approval" : "waiting";
  }
}

/** Whether only a user can end it. */
export function isForPeople(segment: Pick<Segment, "why"> | undefined): boolean {
  return segment?.why === "approval" || segment?.why === "answer";
}
