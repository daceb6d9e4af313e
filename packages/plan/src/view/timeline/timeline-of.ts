import type { PlanEvent } from "../../events/plan-event.ts";
import { counts, evolve } from "../../machine/evolve.ts";
import { type KnownPlan, noPlan, type Plan, type StepEntry } from "../../machine/plan-state.ts";
import { itemsOf } from "../../machine/step/runs.ts";
import { type Course, endOf, newCourse } from "./course.ts";
import { followSpans, markOf } from "./follow-plan.ts";
import { type Bars, followRuns, keyOf, settleRest } from "./follow-runs.ts";
import type { Bar, Mark, PlanSpan, StepTimes, Timeline } from "./timeline.ts";

/**
 * Where a plan's time went, by its log: see `timeline.ts` for what is told apart, and what is not.
 *
 * Linear in the events, except for what one event changes of many steps. Nothing is remembered between two calls, so
 * that the same events always give the same timeline.
 *
 * @param events - The events of the plan from its first one on, in order. Those that it does not accept count for nothing.
 * @returns Undefined when the first event is not among them: nothing can be told without it.
 */
export function timelineOf(events: Iterable<PlanEvent>): Timeline | undefined {
  let plan: Plan = noPlan;
  const bars: Bars = { courses: new Map(), settledMs: 0 };
  const marks: Mark[] = [];
  const spans: PlanSpan[] = [];
  let lastMs = 0;
  for (const event of events) {
    const before: Plan = plan;
    plan = evolve(before, event);
    if (plan.status === "absent") return undefined;
    const atMs = Math.max(0, Date.parse(event.at) - Date.parse(plan.submittedAt));
    lastMs = Math.max(lastMs, atMs);
    if (!counts(before, plan)) continue;
    const mark = markOf(event, atMs);
    if (mark !== undefined) marks.push(mark);
    // The synthesis has looked at the results from the moment when the last one was there.
    if (event.type === "answer.given" && event.data.join !== undefined)
      spans.push({ kind: "answering", startMs: bars.settledMs, endMs: atMs });
    followSpans(spans, plan, atMs);
    followRuns(bars, { before, plan, event, atMs });
    if (event.type === "plan.ended") settleRest(bars, atMs);
  }
  return plan.status === "absent" ? undefined : { ...shown(plan, bars), lastMs, marks, spans };
}

function shown(plan: KnownPlan, { courses }: Bars): Pick<Timeline, "submittedAtMs" | "endedMs" | "steps"> {
  const submittedAtMs = Date.parse(plan.submittedAt);
  const undone = new Map(plan.compensations?.map((entry) => [entry.stepId, courses.get(keyOf(entry))]));
  const steps = [...plan.steps.values()]
    .sort((left, right) => left.position - right.position)
    .map((entry): StepTimes => {
      const { id: stepId, description, tool } = entry.step;
      const undo = undone.get(stepId);
      return {
        ...barOf(entry, courses),
        stepId,
        description,
        tool,
        needs: entry.dependencies,
        items:
          entry.step.forEach === undefined ? [] : itemsOf(plan, stepId).map((item) => barOf(item, courses)),
        ...(undo === undefined ? {} : { undo: bar(undo) }),
      };
    });
  const end =
    plan.endedAt === undefined ? {} : { endedMs: Math.max(0, Date.parse(plan.endedAt) - submittedAtMs) };
  return { submittedAtMs, ...end, steps };
}

function barOf(entry: StepEntry, courses: Bars["courses"]): Bar {
  const child = entry.subPlan === undefined ? {} : { child: entry.subPlan };
  return { ...bar(courses.get(keyOf(entry)) ?? newCourse(0)), ...child };
}

function bar(course: Course): Bar {
  const { startMs, segments, open, status } = course;
  if (open !== undefined) return { startMs, status, segments: [...segments, open] };
  return { startMs, status, segments, endMs: endOf(course) };
}
