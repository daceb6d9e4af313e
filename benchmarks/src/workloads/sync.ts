/** The cost of waiting for the disk at every acknowledgement (`NATS_SYNC=always`). */
import { median } from "../measure/statistics.ts";
import { connectPlanClient, type PlanClient } from "../system/plan-client.ts";
import { startBenchSystem } from "../system/start-bench-system.ts";
import { atOnce, runPlan, timed, timedEach } from "./run-shape.ts";
import { chain } from "./shapes.ts";
import type { RunReading, Workload, WorkloadContext } from "./workload.ts";

const LENGTH = 20;
const CHAINS = 20;
const PLANS = 300;
const STEPS = 5;
const WARM_UP_CHAINS = 40;
const WARM_UP_BURSTS = 4;

export function sync(): Workload {
  return {
    name: "sync",
    title: `NATS_SYNC=always beside the default, two systems in turn: ${CHAINS} chains of ${LENGTH} no-op steps one after the other, then ${PLANS} plans of ${STEPS} at once`,
    warmUp: `${WARM_UP_CHAINS} chains and ${WARM_UP_BURSTS} bursts on each`,
    metrics: {
      alwaysStepMs: { label: "time per step, always synced", unit: "ms", better: "lower" },
      stepMs: { label: "time per step, default", unit: "ms", better: "lower" },
      alwaysPlansPerS: { label: "plans per second, always synced", unit: "1/s", better: "higher" },
      plansPerS: { label: "plans per second, default", unit: "1/s", better: "higher" },
    },
    floors: ["stepMs"],
    measure,
  };
}

async function* measure({ runs, profileDir, say }: WorkloadContext): AsyncGenerator<RunReading> {
  await using cleanup = new AsyncDisposableStack();
  const clients: PlanClient[] = [];
  for (const syncAlways of [false, true]) {
    const system = cleanup.use(await startBenchSystem({ syncAlways, profileDir }));
    clients.push(cleanup.use(await connectPlanClient(system.url)));
  }
  say("warming up");
  for (const client of clients) {
    await chains(client, WARM_UP_CHAINS);
    await timedEach(WARM_UP_BURSTS, () => burst(client));
  }
  for (let run = 1; run <= runs; run += 1) {
    say(`run ${run} of ${runs}`);
    const steps: number[][] = [];
    for (const client of clients) steps.push(await chains(client, CHAINS));
    const bursts: number[] = [];
    for (const client of clients) bursts.push(await timed(() => burst(client)));
    const [stepMs = [], alwaysStepMs = []] = steps;
    const [burstMs = 0, alwaysBurstMs = 0] = bursts;
    yield {
      values: {
        alwaysStepMs: median(alwaysStepMs),
        stepMs: median(stepMs),
        alwaysPlansPerS: (PLANS / alwaysBurstMs) * 1_000,
        plansPerS: (PLANS / burstMs) * 1_000,
      },
      samples: { stepMs, alwaysStepMs, burstMs: [burstMs], alwaysBurstMs: [alwaysBurstMs] },
    };
  }
}

/** @returns Milliseconds per step, of each chain. */
async function chains(client: PlanClient, count: number): Promise<number[]> {
  const shape = chain(LENGTH);
  const perStep: number[] = [];
  for (let done = 0; done < count; done += 1) {
    perStep.push((await runPlan(client, shape)).answeredMs / LENGTH);
  }
  return perStep;
}

function burst(client: PlanClient): Promise<unknown> {
  const shape = chain(STEPS);
  return atOnce(PLANS, () => runPlan(client, shape));
}
