/** How long steps take, by tool, as far as this gateway has seen: for estimates, never for decisions. */
import type { KnownPlan, PlanEvent, Step } from "@planwright/plan";

/** The share of the newest time in the mean. */
const NEWEST_SHARE = 0.1;
const TOOLS_MAX = 1_000;

export type ToolTimes = {
  note(plan: KnownPlan, event: PlanEvent): void;
  /** Milliseconds; undefined when nothing is known to go by. */
  expectedMs(step: Step): number | undefined;
};

export function createToolTimes(): ToolTimes {
  const means = new Map<string, number>();
  return {
    note(plan, event) {
      if (event.type !== "step.succeeded") return;
      const tool = plan.steps.get(event.data.stepId)?.step.tool;
      if (tool === undefined || (means.size >= TOOLS_MAX && !means.has(tool))) return;
      const { durationMs } = event.data;
      const mean = means.get(tool) ?? durationMs;
      means.set(tool, mean + NEWEST_SHARE * (durationMs - mean));
    },
    expectedMs({ tool, args }) {
      // A wait says itself how long it takes.
      if (tool === "flow.wait") return typeof args["ms"] === "number" ? args["ms"] : undefined;
      return means.get(tool);
    },
  };
}
