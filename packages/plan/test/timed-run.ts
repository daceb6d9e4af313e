/** A plan that runs with workers and a clock: each run takes its given time. */
import { FLOW_WAIT } from "../src/view/estimate/flow-wait.ts";
import { remainingPaths } from "../src/view/estimate/remaining-path.ts";
import { kindKey, type StepRuns } from "../src/view/estimate/estimate-run.ts";
import { RankOrder } from "../src/sharing/rank-order.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import type { KnownPlan, StepEntry } from "../src/machine/plan-state.ts";
import { allRuns, itemOf } from "../src/machine/step/runs.ts";
import { after, andAfter, AT, GRANTS, READ, recorded, started, submitted, succeeded } from "./facts.ts";

const START_MS = Date.parse(AT);
const POOL = "default";

export type TimedStep = {
  readonly id: string;
  readonly needs: readonly string[];
  /** A wait states its duration; for a search, only the mean of earlier ones is known. */
  readonly tool: "flow.wait" | "docs.search";
  readonly ms: number;
  /** It runs for each item of a list of this length. */
  readonly items?: number | undefined;
};

/** The plan at one point in time. */
export type Moment = { readonly plan: KnownPlan; readonly atMs: number };

export type TimedRun = {
  /** After each event, and halfway to the next one; in milliseconds since the start. */
  readonly moments: readonly Moment[];
  /** When the last step ended. */
  readonly endMs: number;
};

/** The duration of `docs.search`, in milliseconds. */
export const SEARCH_MEAN_MS = 1_000;

export const PAST: ReadonlyMap<string, StepRuns> = new Map([
  [
    kindKey({ tool: "docs.search", agent: "", model: "" }),
    { runs: 20, durationMs: SEARCH_MEAN_MS, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  ],
]);

export const slotsOf = (slots: number): ReadonlyMap<string, number> => new Map([[POOL, slots]]);

export function timedGoal(steps: readonly TimedStep[]): PlanEvent {
  const long = { ...READ, timeoutMs: 3_600_000 };
  return submitted(
    steps.map(({ id, needs, tool, ms, items }) => ({
      id,
      tool,
      dependsOn: needs,
      args: tool === FLOW_WAIT ? { ms } : { query: "q" },
      ...(items === undefined ? {} : { forEach: Array.from({ length: items }, (_, index) => index) }),
    })),
    { grants: { ...GRANTS, "flow.wait": long, "docs.search": long } },
  );
}

/** @param slots - Maximum simultaneous runs; of the waiting steps, the one with the longest remaining path starts first. */
export function timedRun(steps: readonly TimedStep[], slots: number): TimedRun {
  const msOf = new Map(steps.map(({ id, ms }) => [id, ms]));
  const moments: Moment[] = [];
  const sent = new Set<string>();
  let running: { run: StepEntry; endMs: number }[] = [];
  let nowMs = 0;
  let plan = recorded(after(timedGoal(steps)));
  const paths = remainingPaths(plan, PAST);
  const waiting = new RankOrder<StepEntry>(({ step }) => paths.get(step.id)?.ms ?? 0);
  const tell = (event: PlanEvent): void => {
    plan = recorded(andAfter(plan, { ...event, at: new Date(START_MS + nowMs).toISOString() }));
    for (const run of allRuns(plan)) {
      const name = nameOf(run);
      if (run.state.status !== "running" || sent.has(name)) continue;
      sent.add(name);
      waiting.add(name, run);
    }
  };
  const begin = (): void => {
    while (running.length < slots) {
      const first = waiting.first();
      if (first === undefined) return;
      const { key, item: run } = first;
      waiting.delete(key);
      running.push({ run, endMs: nowMs + (msOf.get(run.step.id) ?? 0) });
      tell(started(run.step.id, 1, { item: itemOf(run) }));
    }
  };
  for (const run of allRuns(plan)) {
    if (run.state.status !== "running") continue;
    sent.add(nameOf(run));
    waiting.add(nameOf(run), run);
  }
  begin();
  while (running.length > 0) {
    const nextMs = Math.min(...running.map(({ endMs }) => endMs));
    moments.push({ plan, atMs: nowMs }, { plan, atMs: (nowMs + nextMs) / 2 });
    const done = running.find(({ endMs }) => endMs === nextMs);
    running = running.filter((one) => one !== done);
    nowMs = nextMs;
    if (done !== undefined) tell(outcomeOf(done.run, nowMs, msOf.get(done.run.step.id) ?? 0));
    begin();
  }
  return { moments, endMs: nowMs };
}

function outcomeOf(run: StepEntry, nowMs: number, durationMs: number): PlanEvent {
  const startedAt = new Date(START_MS + nowMs - durationMs).toISOString();
  return succeeded(run.step.id, 1, 1, { item: itemOf(run), startedAt, durationMs });
}

function nameOf(run: StepEntry): string {
  return `${run.step.id}/${run.item?.index ?? ""}`;
}
