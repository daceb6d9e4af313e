/** Durations and costs of earlier runs of a kind of step: the basis of an estimate, never of a decision. */
import type { PlanEvent } from "../../events/plan-event.ts";
import type { Step } from "../../language/plan-language.ts";
import type { KnownPlan } from "../../machine/plan-state.ts";

/** The maximum weight of all earlier runs together: a tool's durations change, and the newest runs predict best. */
const MEMORY_RUNS = 100;

/** Steps with the same expected duration. The default agent or model is `""`. */
export type StepKind = { readonly tool: string; readonly agent: string; readonly model: string };

/** Successful attempts; each metric is their mean. */
export type StepRuns = {
  readonly runs: number;
  readonly durationMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when the price of a model was unknown recently. */
  readonly costUsd: number | null;
};

export function kindOf({ tool, agent = "", model = "" }: Pick<Step, "tool" | "agent" | "model">): StepKind {
  return { tool, agent, model };
}

/** A unique key for each kind: none of its parts contains a line break. */
export function kindKey({ tool, agent, model }: StepKind): string {
  return `${tool}\n${agent}\n${model}`;
}

/** The run that an event records. Undefined for other events: only steps that succeeded by themselves are counted. */
export function runTold(
  plan: Pick<KnownPlan, "steps">,
  event: PlanEvent,
): { readonly kind: StepKind; readonly run: StepRuns } | undefined {
  if (event.type !== "step.succeeded") return undefined;
  const { stepId, undo, reused, durationMs, usage } = event.data;
  const step = plan.steps.get(stepId)?.step;
  if (step === undefined || undo === true || reused === true) return undefined;
  const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = usage ?? {};
  return { kind: kindOf(step), run: { runs: 1, durationMs, inputTokens, outputTokens, costUsd } };
}

/** Adds later runs to earlier ones. */
export function mergeRuns(earlier: StepRuns, later: StepRuns): StepRuns {
  const share = later.runs / (Math.min(earlier.runs, MEMORY_RUNS) + later.runs);
  const mean = (before: number, after: number): number => before + share * (after - before);
  return {
    runs: earlier.runs + later.runs,
    durationMs: mean(earlier.durationMs, later.durationMs),
    inputTokens: mean(earlier.inputTokens, later.inputTokens),
    outputTokens: mean(earlier.outputTokens, later.outputTokens),
    // A price that was configured since then applies to the runs measured since then.
    costUsd:
      earlier.costUsd === null || later.costUsd === null
        ? later.costUsd
        : mean(earlier.costUsd, later.costUsd),
  };
}
