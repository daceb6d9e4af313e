/**
 * The expected cost and time of running a plan: the sum of what is known about its steps, without guesses for the others.
 *
 * The estimate of a step is, in this order: what the step itself states (a wait states its time; a tool that declares no
 * use of models costs nothing), or the mean of earlier runs with its tool, agent and model. A step that runs for each item
 * of a list has an estimate when the plan contains the list. A step whose time depends on a person has no estimated time.
 *
 * The time is that of the critical path (`criticalPath`), as if each step began when its dependencies had finished, and
 * every condition held. Queues, retries, reviews, revisions, approvals and the synthesis of an answer are not included.
 */
import { grantOf } from "../../language/grants-of.ts";
import { grantOfStep } from "../../arguments/code-run.ts";
import { criticalPath } from "../critical-path.ts";
import { LIMITS } from "../../values/limits.ts";
import { onlySink } from "../../language/only-sink.ts";
import { HUMAN_ASK, PLAN_RUN } from "../../language/tool-names.ts";
import type { PlanDocument, Step } from "../../language/plan-language.ts";
import type { ToolSpec } from "../../language/tool-spec.ts";
import { FLOW_WAIT } from "./flow-wait.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import type { KnownPlan } from "../../machine/plan-state.ts";
import { z } from "zod";

export type EstimateFrom = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** By `kindKey`. */
  readonly past: ReadonlyMap<string, StepRuns>;
};

type Use = Pick<StepRuns, "inputTokens" | "outputTokens"> & { readonly costUsd: number | null };
type Expected = { readonly durationMs: number | undefined; readonly use: Use | undefined };

const NO_USE: Use = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

export function estimateRun(
  plan: Pick<PlanDocument, "steps" | "answerFrom">,
  from: EstimateFrom,
): RunEstimate {
  const standIns = new Set(plan.steps.map(({ fallback }) => fallback));
  const steps = plan.steps.filter(({ id }) => !standIns.has(id));
  const expected = new Map(steps.map((step) => [step.id, expectationOf(step, from)]));
  const known = [...expected.values()];
  const timed = known.filter(({ durationMs }) => durationMs !== undefined);
  const uses = known.flatMap(({ use }) => use ?? []);
  const costs = uses.flatMap(({ costUsd }) => costUsd ?? []);
  const path = criticalPath(plan.steps, ({ id }) => expected.get(id)?.durationMs ?? 0);
  return {
    durationMs: timed.length === 0 ? null : Math.round(path.durationMs),
    costUsd: costs.length === 0 ? null : sum(costs),
    inputTokens: Math.round(sum(uses.map(({ inputTokens }) => inputTokens))),
    outputTokens: Math.round(sum(uses.map(({ outputTokens }) => outputTokens))),
    steps: steps.length,
    stepsTimed: timed.length,
    stepsPriced: costs.length,
    runs: sum([...pastUsed(steps, from).values()].map(({ runs }) => runs)),
    answered: (plan.answerFrom ?? onlySink(plan.steps)) !== undefined,
  };
}

/** The expected time of one step, in milliseconds; undefined if there is no basis for an estimate. */
export function expectedMs(step: Step, from: EstimateFrom): number | undefined {
  return expectationOf(step, from).durationMs;
}

function expectationOf(step: Step, from: EstimateFrom): Expected {
  const items = itemsOf(step);
  const past = from.past.get(kindKey(kindOf(step)));
  const oneMs = oneRunMs(step, past);
  const use = callsModel(step, from) ? past : NO_USE;
  if (items === undefined) return { durationMs: undefined, use: use === NO_USE ? use : undefined };
  return {
    durationMs: oneMs === undefined ? undefined : oneMs * Math.ceil(items / LIMITS.itemsAtOnceMax),
    use: use && times(use, items),
  };
}

/** How often it runs; undefined if that depends on the output of an earlier step. */
function itemsOf({ forEach }: Step): number | undefined {
  if (forEach === undefined) return 1;
  return Array.isArray(forEach) ? forEach.length : undefined;
}

function oneRunMs({ tool, args }: Step, past: StepRuns | undefined): number | undefined {
  if (tool === HUMAN_ASK) return undefined;
  if (tool === FLOW_WAIT) return typeof args["ms"] === "number" ? args["ms"] : undefined;
  return past?.durationMs;
}

/** Whether a step may call a model. An unannounced tool may, and so may a sub-plan. */
function callsModel(step: Step, { tools }: EstimateFrom): boolean {
  if (step.tool === PLAN_RUN) return true;
  const spec = tools.get(step.tool);
  return spec === undefined || grantOfStep(grantOf(spec), step).modelTokens !== undefined;
}

function pastUsed(steps: readonly Step[], { past }: EstimateFrom): Map<string, StepRuns> {
  const used = new Map<string, StepRuns>();
  for (const step of steps) {
    const key = kindKey(kindOf(step));
    const runs = past.get(key);
    if (
      runs !== undefined &&
      itemsOf(step) !== undefined &&
      step.tool !== HUMAN_ASK &&
      step.tool !== FLOW_WAIT
    )
      used.set(key, runs);
  }
  return used;
}

function times({ inputTokens, outputTokens, costUsd }: Use, items: number): Use {
  return {
    inputTokens: inputTokens * items,
    outputTokens: outputTokens * items,
    costUsd: costUsd === null ? null : costUsd * items,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

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

const Steps = z.int().nonnegative();

/** The expected usage of running a plan, and how much of the plan it covers. */
export const RunEstimate = z.object({
  durationMs: z.number().nonnegative().nullable().meta({
    description:
      "Duration of the critical path in milliseconds. Steps with an unknown duration count as 0. Null if no step has a known duration.",
  }),
  costUsd: z.number().nonnegative().nullable().meta({
    description: "Cost in US dollars of the steps whose cost is known; null if none is known.",
  }),
  inputTokens: Steps.meta({ description: "For the steps whose model usage is known." }),
  outputTokens: Steps,
  steps: Steps.meta({
    description: "Steps that run if nothing fails: all except fallbacks.",
  }),
  stepsTimed: Steps.meta({ description: "Steps whose duration is known." }),
  stepsPriced: Steps.meta({ description: "Steps whose cost is known." }),
  runs: Steps.meta({
    description: "Number of earlier runs in the same tenant on which the estimate is based.",
  }),
  answered: z.boolean().meta({
    description: "Whether a step provides the answer. Otherwise a model writes it, which is not included.",
  }),
});
export type RunEstimate = z.infer<typeof RunEstimate>;
