/** Runs one shape in the three ways that are compared: on the system, on bare JetStream, as promises. */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import { type DagStep, runDag } from "../floor/dag.ts";
import type { PlanClient, PlanRun } from "../system/plan-client.ts";
import type { Shape } from "./shapes.ts";

/** Runs the plan to its end. @throws When it did not succeed with the expected answer. */
export async function runPlan(client: PlanClient, shape: Shape, onStep?: () => void): Promise<PlanRun> {
  const run = await client.run(shape.body, onStep);
  if (run.outcome !== "succeeded" || !isDeepStrictEqual(run.answer, shape.answer)) {
    throw new Error(
      `${run.planId} (${shape.body.goal}) ended ${run.outcome} with the answer ${JSON.stringify(run.answer)}`,
    );
  }
  return run;
}

/** The duration of a call in milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/** One after the other; the milliseconds of each. */
export async function timedEach(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let time = 0; time < times; time += 1) samples.push(await timed(run));
  return samples;
}

/** The shape as promises in this process: a waiting step waits, any other does nothing. */
export function runPromises({ dag }: Shape): Promise<void> {
  return runDag(dag, ({ waitMs }: DagStep) => (waitMs === undefined ? Promise.resolve() : delay(waitMs)));
}

/** The results of `times` simultaneous calls, in order. */
export function atOnce<Result>(times: number, run: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, run));
}
