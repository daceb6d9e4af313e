import type { StepView } from "../api/api-types.ts";
import { useSearchField } from "../router/use-route.ts";

/** Slowest first; otherwise the plan's order. Kept in the address, for all tabs that list steps. */
export function useSlowestFirst(): readonly [isOn: boolean, toggle: () => void] {
  const [field, setField] = useSearchField("sort");
  const isOn = field === "slowest";
  return [isOn, () => setField(isOn ? undefined : "slowest")];
}

type Timed = Pick<StepView, "startedAt" | "durationMs">;

/** Slowest first. A running step counts with its time so far; steps that have not started come last, in the given order. */
export function slowestFirst<Step extends Timed>(steps: readonly Step[], nowMs: number): Step[] {
  return steps.toSorted((left, right) => timeOf(right, nowMs) - timeOf(left, nowMs));
}

/** The position of each step in that order; unknown steps come last. */
export function ranksOf(steps: readonly StepView[], nowMs: number): (stepId: string) => number {
  const ranks = new Map<string, number>(slowestFirst(steps, nowMs).map(({ id }, index) => [id, index]));
  return (stepId) => ranks.get(stepId) ?? steps.length;
}

function timeOf({ startedAt, durationMs }: Timed, nowMs: number): number {
  if (durationMs !== undefined) return durationMs;
  return startedAt === undefined ? -1 : Math.max(0, nowMs - Date.parse(startedAt));
}
