/** W4: the overhead added to steps that take time themselves. */
import { median } from "../measure/statistics.ts";
import { runPlan, runPromises, timedEach } from "./run-shape.ts";
import { chainOfWaits, WAITS_CRITICAL_PATH_MS, waits } from "./shapes.ts";
import { withSystem } from "./with-system.ts";
import type { Workload } from "./workload.ts";

const WARM_UP_CHAINS = 50;
const WARM_UP_PLANS = 2;
const PLANS = 7;

export function w4Waits(): Workload {
  const shape = waits();
  const overhead = (ms: number): number => (ms / WAITS_CRITICAL_PATH_MS - 1) * 100;
  return {
    name: "W4",
    title: `three waits of 300 ms, then 200, then 200: time from the submission to the answer over the ${WAITS_CRITICAL_PATH_MS} ms of the critical path, p50 of ${PLANS}`,
    warmUp: `${WARM_UP_CHAINS} chains of 20 waits of 1 ms and ${WARM_UP_PLANS} plans of the same shape`,
    stepsPerPlan: shape.steps,
    metrics: {
      overheadPercent: { label: "overhead", unit: "%", better: "lower", target: 1.3 },
      makespanMs: { label: "makespan", unit: "ms", better: "lower" },
      promisesPercent: { label: "promises in one process", unit: "%", better: "lower" },
    },
    floors: ["promisesPercent"],
    measure: (context) =>
      withSystem(context, {
        warmUp: async ({ client }) => {
          await timedEach(WARM_UP_CHAINS, () => runPlan(client, chainOfWaits(20)));
          await timedEach(WARM_UP_PLANS, () => runPlan(client, shape));
        },
        beside: async () => ({
          promisesPercent: overhead(median(await timedEach(PLANS, () => runPromises(shape)))),
        }),
        ours: async ({ client }) => {
          const makespans: number[] = [];
          for (let plan = 0; plan < PLANS; plan += 1) {
            makespans.push((await runPlan(client, shape)).answeredMs);
          }
          const makespanMs = median(makespans);
          return {
            steps: PLANS * shape.steps,
            values: { overheadPercent: overhead(makespanMs), makespanMs },
            samples: { makespanMs: makespans },
          };
        },
      }),
  };
}
