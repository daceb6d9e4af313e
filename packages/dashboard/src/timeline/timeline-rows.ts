/** The rows of the timeline: a step each, in the plan's order, with its items and what undoes it below it. */
import { type Bar, type Segment, type Timeline, slackOf } from "@planwright/plan/timeline";
import type { PlanView, StepStatus, StepView } from "../api/api-types.ts";

export type TimelineRow = {
  /** Told apart from every other row. */
  readonly key: string;
  readonly stepId: string;
  readonly name: string;
  readonly description: string;
  readonly status: StepStatus;
  readonly bar: Bar;
  readonly depth: 0 | 1;
  readonly isCritical: boolean;
  /** How much longer it could have taken without the plan ending later; absent where nothing can be told. */
  readonly slackMs?: number;
  /** Of a step that runs for each of a list: how many rows it has, and whether they are shown. */
  readonly items?: { readonly count: number; readonly isOpen: boolean };
  /** As the view has it; absent for one that is not in the plan any more. */
  readonly step?: StepView;
};

/** How high a row is. */
export const ROW_PX = 26;
/** More items of one step are not shown one by one. */
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

/** By the bar alone: what is not over is at work, judged, or waits. */
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

/** Whether only a person can end it. */
export function isForPeople(segment: Pick<Segment, "why"> | undefined): boolean {
  return segment?.why === "approval" || segment?.why === "answer";
}
