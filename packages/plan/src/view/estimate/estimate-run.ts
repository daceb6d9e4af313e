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
import type { RunEstimate } from "./run-estimate.ts";
import { kindKey, kindOf, type StepRuns } from "./step-runs.ts";

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

/** The time of one step, in milliseconds; undefined when nothing is known to go by. */
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

/** How often it runs; undefined when only the list that an earlier step makes says so. */
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
