/**
 * The remaining path of a step: its own time plus that of the longest chain of dependents. From the start of the step, the plan
 * takes at least this long.
 *
 * If slots are scarce, the step with the longest remaining path starts first. Scheduling theory calls this length a bottom level;
 * it is the upward rank of HEFT without communication costs (Topcuoglu, Hariri and Wu, IEEE Transactions on Parallel and
 * Distributed Systems 13:3, 2002).
 */
import type { Step } from "../../language/plan-language.ts";
import { stepGraph } from "../../language/step-graph.ts";
import { isStandby } from "../../machine/links/ties.ts";
import type { KnownPlan, StepEntry } from "../../machine/plan-state.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { orderOf } from "../critical-path.ts";
import { type PastRuns, runTimesOf } from "./run-times.ts";

/** The time of a light step without earlier runs: its tool declares that it takes a few milliseconds. */
const LIGHT_MS = 5;
/** The time of every step of a plan in which no step's time is known. Any value gives the same order. */
const UNKNOWN_MS = 1_000;

/** In milliseconds. */
export type RemainingPath = {
  /** From the start of the step. */
  readonly ms: number;
  /** From its end. */
  readonly afterMs: number;
};

/**
 * Returns the remaining path of every step, including finished ones. A fallback takes no time before it is needed.
 *
 * A wait takes its stated time, any other step the mean of at least three runs of its kind in this plan or earlier ones. A step
 * without such runs takes as long as the plan's other steps on average. Linear in steps and dependencies.
 *
 * @param past - Earlier runs by `kindKey`.
 */
export function remainingPaths(plan: KnownPlan, past?: PastRuns): ReadonlyMap<StepId, RemainingPath> {
  const entries = [...plan.steps.values()];
  const costs = costsOf(plan, entries, past);
  const { levels, after } = bottomLevels(
    entries.map(({ step }) => step),
    (node) => costs[node] ?? 0,
  );
  return new Map(
    entries.map(({ step }, node) => [step.id, { ms: levels[node] ?? 0, afterMs: after[node] ?? 0 }]),
  );
}

/**
 * For each node of the steps' graph (see `stepGraph`), the length of the longest chain that starts with it, and of the longest
 * that starts after it. Steps on a cycle, and steps after one, have 0.
 */
export function bottomLevels(
  steps: readonly Step[],
  costOf: (node: number) => number,
): { readonly levels: readonly number[]; readonly after: readonly number[] } {
  const graph = stepGraph(steps);
  const levels = graph.map(() => 0);
  const after = graph.map(() => 0);
  for (const node of orderOf(graph).reverse()) {
    const level = (after[node] ?? 0) + costOf(node);
    levels[node] = level;
    for (const needed of graph[node] ?? []) after[needed] = Math.max(after[needed] ?? 0, level);
  }
  return { levels, after };
}

function costsOf(plan: KnownPlan, entries: readonly StepEntry[], past: PastRuns | undefined): number[] {
  const times = runTimesOf(plan, past);
  const known = entries.map((entry) => {
    const oneMs = times.of(entry) ?? (entry.grant.light === true ? LIGHT_MS : undefined);
    return oneMs === undefined ? undefined : oneMs * roundsOf(entry);
  });
  const sure = known.filter((ms) => ms !== undefined);
  const meanMs = sure.length === 0 ? UNKNOWN_MS : sure.reduce((sum, ms) => sum + ms, 0) / sure.length;
  return entries.map((entry, node) => (isStandby(plan, entry) ? 0 : (known[node] ?? meanMs)));
}

/** The number of rounds in which a step runs: more than one if it runs for each item of a long list. */
function roundsOf({ step: { forEach }, state }: StepEntry): number {
  if (forEach === undefined) return 1;
  const listed = Array.isArray(forEach) ? forEach.length : 1;
  return Math.ceil((state.status === "repeating" ? state.items : listed) / LIMITS.itemsAtOnceMax);
}
