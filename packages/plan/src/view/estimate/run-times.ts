/** How long the runs of an open plan's steps take, as far as that is known. */
import { HUMAN_ASK, PLAN_RUN } from "../../language/tool-names.ts";
import { resolveArguments } from "../../arguments/resolve-arguments.ts";
import type { KnownPlan, StepEntry } from "../../machine/plan-state.ts";
import { allRuns } from "../../machine/step/runs.ts";
import { FLOW_WAIT } from "./flow-wait.ts";
import { kindKey, kindOf, type StepRuns } from "./estimate-run.ts";

/** Fewer runs say too little about the next one. */
const RUNS_MIN = 3;

/** Earlier runs by `kindKey`. */
export type PastRuns = Pick<ReadonlyMap<string, StepRuns>, "get">;

type Mean = { readonly runs: number; readonly durationMs: number };

export type RunTimes = {
  /** What a run takes from its start to its end, in milliseconds; undefined when nothing is known to go by. */
  readonly of: (run: StepEntry) => number | undefined;
  /** The mean of everything that has run in the plan; undefined when nothing has. */
  readonly meanMs: number | undefined;
};

/**
 * A wait takes what it says. Any other run takes the mean of at least three earlier runs of its tool, agent and model: of
 * this plan, or else of earlier ones too.
 */
export function runTimesOf(plan: KnownPlan, past: PastRuns = new Map()): RunTimes {
  const { own, all } = ownRuns(plan);
  const meanOf = (kind: string): number | undefined => {
    const here = own.get(kind);
    if (here !== undefined && here.runs >= RUNS_MIN) return here.durationMs;
    const before = past.get(kind);
    const runs = (here?.runs ?? 0) + (before?.runs ?? 0);
    if (before === undefined || runs < RUNS_MIN) return undefined;
    // Runs of this plan are most likely counted among the earlier ones already.
    return before.runs >= RUNS_MIN ? before.durationMs : merged(before, here).durationMs;
  };
  return {
    of(run) {
      const { step, grant } = run;
      if (step.tool === HUMAN_ASK) return undefined;
      const timeoutMs = step.timeoutMs ?? grant.timeoutMs;
      const ms = step.tool === FLOW_WAIT ? statedMs(plan, run) : meanOf(kindKey(kindOf(step)));
      return ms === undefined || step.tool === PLAN_RUN ? ms : Math.min(ms, timeoutMs);
    },
    meanMs: all.runs === 0 ? undefined : all.durationMs,
  };
}

function ownRuns(plan: KnownPlan): { own: ReadonlyMap<string, Mean>; all: Mean } {
  const own = new Map<string, Mean>();
  let all: Mean = { runs: 0, durationMs: 0 };
  for (const { step, state, item } of allRuns(plan)) {
    // A step with a list takes as long as its items, which are counted themselves.
    if (state.status !== "succeeded" || (step.forEach !== undefined && item === undefined)) continue;
    const one = { runs: 1, durationMs: state.durationMs };
    const kind = kindKey(kindOf(step));
    own.set(kind, merged(own.get(kind), one));
    all = merged(all, one);
  }
  return { own, all };
}

function merged(left: Mean | undefined, right: Mean | undefined): Mean {
  if (left === undefined || right === undefined) return left ?? right ?? { runs: 0, durationMs: 0 };
  const runs = left.runs + right.runs;
  return { runs, durationMs: (left.runs * left.durationMs + right.runs * right.durationMs) / runs };
}

function statedMs(plan: KnownPlan, { step, item, approved }: StepEntry): number | undefined {
  const { ms } = approved?.args ?? step.args;
  if (typeof ms === "number") return ms;
  if (ms === undefined) return undefined;
  const resolved = resolveArguments(plan, { args: { ms } }, item?.value);
  const value = "args" in resolved ? resolved.args["ms"] : undefined;
  return typeof value === "number" ? value : undefined;
}
