import type { PlanView } from "../plan-view.ts";
import type { StepView } from "../step-view.ts";

export type Figure = {
  readonly name: string;
  readonly unit: "ms" | "count" | "usd";
  /** Null when it is not known (yet). */
  readonly left: number | null;
  readonly right: number | null;
};

type FigureOf = (view: PlanView) => number | null;

const FIGURES: readonly (readonly [name: string, unit: Figure["unit"], of: FigureOf])[] = [
  ["Time to completion", "ms", durationMs],
  ["Makespan", "ms", makespanMs],
  ["Critical path", "ms", ({ criticalPath }) => criticalPath.durationMs],
  ["Steps", "count", ({ steps }) => steps.length],
  ["Steps carried over", "count", counting(({ carried }) => carried === true)],
  ["Steps succeeded", "count", counting(({ status }) => status === "succeeded")],
  ["Steps failed", "count", counting(({ status }) => status === "failed")],
  ["Steps skipped", "count", counting(({ status }) => status === "skipped")],
  ["Attempts", "count", attempts],
  ["Revisions", "count", ({ revision }) => revision],
  ["Approvals requested", "count", ({ approvals }) => approvals.length],
  ["Effects completed", "count", ({ effects }) => effects.filter(({ status }) => status === "done").length],
  ["Model calls", "count", ({ usage }) => usage.modelCalls],
  ["Input tokens", "count", ({ usage }) => usage.inputTokens],
  ["Output tokens", "count", ({ usage }) => usage.outputTokens],
  ["Cost", "usd", ({ usage }) => usage.costUsd],
];

/** What can be counted and measured of both plans, side by side. */
export function compareFigures(left: PlanView, right: PlanView): Figure[] {
  return FIGURES.map(([name, unit, of]) => ({ name, unit, left: of(left), right: of(right) }));
}

function durationMs({ submittedAt, endedAt }: PlanView): number | null {
  return endedAt === undefined ? null : Math.max(0, Date.parse(endedAt) - Date.parse(submittedAt));
}

function makespanMs({ steps }: PlanView): number | null {
  const times = (field: "startedAt" | "endedAt") =>
    steps.flatMap((step) => (step[field] === undefined ? [] : [Date.parse(step[field])]));
  const first = least(times("startedAt"));
  const last = least(times("endedAt").map((at) => -at));
  return first === undefined || last === undefined ? null : Math.max(0, -last - first);
}

/** Plans may have more numbers than a call has room for arguments. */
function least(numbers: readonly number[]): number | undefined {
  return numbers.reduce<number | undefined>(
    (min, at) => (min === undefined || at < min ? at : min),
    undefined,
  );
}

function counting(isCounted: (step: StepView) => boolean): FigureOf {
  return ({ steps }) => steps.filter(isCounted).length;
}

/** Of a list's items too, which count their own. */
function attempts({ steps }: PlanView): number {
  return steps
    .flatMap((step): readonly { readonly attempt: number }[] => step.items ?? [step])
    .reduce((sum, { attempt }) => sum + attempt, 0);
}
