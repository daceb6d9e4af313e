/** The expected durations of the runs of an open plan's steps, as far as they are known. */
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
  /** The expected duration of a run, in milliseconds; undefined if there is no basis for an estimate. */
  readonly of: (run: StepEntry) => number | undefined;
  /** The mean of all runs in the plan; undefined if there are none. */
  readonly meanMs: number | undefined;
};

/**
 * A wait takes its stated time. Any other run takes the mean of at least three earlier runs of its tool, agent and model: of this
 * plan, or else of earlier ones too.
 */
export function runTimesOf(plan: KnownPlan, past: PastRuns = new Map()): RunTimes {
  const { own, all } = ownRuns(plan);
  const meanOf = (kind: string): number | undefined => {
    const here = own.get(kind);
    if (here !== undefined && here.runs >= RUNS_MIN) return here.durationMs;
    const before = past.get(kind);
    const runs = (here?.runs ?? 0) + (before?.runs ?? 0);
    if (before === undefined || runs < RUNS_MIN) return undefined;
    // The runs of this plan are most likely already included in the earlier ones.
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
    // A step with a list takes as long as its items, which are counted separately.
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
