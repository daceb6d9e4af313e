/** Adds up the step counts of tools. */
import { METRICS_TOOLS_MAX, type ToolMetrics } from "@planwright/api";
import { addToolTally, type ToolTally } from "@planwright/plan";
import { ratio } from "./figure-sum.ts";

/** The steps of some plans, by tool. */
export class ToolSum {
  readonly #tools = new Map<string, ToolTally>();

  add(tallies: readonly ToolTally[]): void {
    for (const tally of tallies) addToolTally(this.#tools, tally);
  }

  /** The tools with the most failed steps first, then those with the most steps. */
  result(): ToolMetrics[] {
    const sorted = [...this.#tools.values()].toSorted(
      (a, b) => b.failed - a.failed || b.steps - a.steps || a.tool.localeCompare(b.tool),
    );
    return sorted
      .slice(0, METRICS_TOOLS_MAX)
      .map(({ tool, steps, failed, retries, durationMs, longestMs }) => ({
        tool,
        steps,
        failed,
        failureRate: ratio(failed, steps),
        retries,
        durationMs: { mean: ratio(durationMs, steps), max: steps === 0 ? null : longestMs },
      }));
  }
}
