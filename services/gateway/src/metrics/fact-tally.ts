/** The events that plans counted, and the outcomes of step attempts by tool, as seen by this gateway since it started. */
import type { KnownPlan, PlanEvent } from "@planwright/plan";
import type { Metric } from "./render-metrics.ts";

/** Further tools are counted as one, to limit the number of labels. */
const TOOLS_MAX = 500;
const OTHERS = "others";
const MS_PER_SECOND = 1_000;

export type FactTally = {
  note(plan: KnownPlan, event: PlanEvent): void;
  metrics(): Metric[];
};

type Counts = { succeeded: number; failed: number; durationMs: number };

export function createFactTally(): FactTally {
  const facts = new Map<string, number>();
  const tools = new Map<string, Counts>();
  const countsOf = (tool: string): Counts => {
    const name = tools.has(tool) || tools.size < TOOLS_MAX ? tool : OTHERS;
    const counts = tools.get(name) ?? { succeeded: 0, failed: 0, durationMs: 0 };
    tools.set(name, counts);
    return counts;
  };
  return {
    note(plan, event) {
      facts.set(event.type, (facts.get(event.type) ?? 0) + 1);
      if (event.type !== "step.succeeded" && event.type !== "step.failed") return;
      const tool = plan.steps.get(event.data.stepId)?.step.tool;
      if (tool === undefined) return;
      const counts = countsOf(tool);
      counts[event.type === "step.failed" ? "failed" : "succeeded"] += 1;
      counts.durationMs += event.data.durationMs;
    },
    metrics: () => [
      {
        name: "planwright_facts_total",
        help: "Plan events by type, since this gateway started.",
        type: "counter",
        values: Array.from(facts, ([type, count]) => [`type="${type}"`, count]),
      },
      {
        name: "planwright_tool_attempts_total",
        help: "Finished step attempts by tool and outcome, since this gateway started.",
        type: "counter",
        values: Array.from(tools).flatMap(([tool, { succeeded, failed }]): [string, number][] => [
          [`tool="${tool}",outcome="succeeded"`, succeeded],
          [`tool="${tool}",outcome="failed"`, failed],
        ]),
      },
      {
        name: "planwright_tool_seconds_total",
        help: "Total duration of these attempts.",
        type: "counter",
        values: Array.from(tools, ([tool, { durationMs }]) => [`tool="${tool}"`, durationMs / MS_PER_SECOND]),
      },
    ],
  };
}
