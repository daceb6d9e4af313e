import type { Seen } from "./probe.ts";

/** Longer tasks are felt. */
const LONG_TASK_MS = 50;

export type Fluency = {
  readonly framesPerS: number;
  readonly longestGapMs: number;
  readonly longTasks: number;
};

/** How often the page could have painted, and what kept it from it. @throws {RangeError} Without two frames. */
export function fluencyOf({ framesMs, longTasksMs }: Pick<Seen, "framesMs" | "longTasksMs">): Fluency {
  const [first] = framesMs;
  const last = framesMs.at(-1);
  if (first === undefined || last === undefined || last <= first) throw new RangeError("wanted two frames");
  const gaps = framesMs.slice(1).map((at, index) => at - (framesMs[index] ?? at));
  return {
    framesPerS: (1_000 * gaps.length) / (last - first),
    longestGapMs: Math.max(...gaps),
    longTasks: longTasksMs.filter((ms) => ms > LONG_TASK_MS).length,
  };
}
