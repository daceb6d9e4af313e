/** The gain from more executors: for steps that only cost processor time, and for steps that wait. */
import { median } from "../measure/statistics.ts";
import { atOnce, runPlan, timed, timedEach } from "./run-shape.ts";
import { chain, parallelWaits } from "./shapes.ts";
import { withSystem } from "./with-system.ts";
import type { Workload } from "./workload.ts";

const COUNTS = [1, 2, 4];
const PLANS = 300;
const STEPS = 5;
const BURSTS = 3;
const WARM_UP_BURSTS = 6;
/** Maximum concurrent steps per executor. */
const ROOM = 64;
/** Per executor, many times its capacity. */
const WAITS = 1_024;
const WAIT_MS = 200;

export function executorWorkloads(): Workload[] {
  const noop = chain(STEPS);
  return COUNTS.map((executors) => {
    const waits = WAITS * executors;
    const waiting = parallelWaits(waits, WAIT_MS);
    return {
      name: `executors-${executors}`,
      title: `${executors} executor processes with room for ${ROOM} steps each: ${PLANS} plans of ${STEPS} no-op steps at once, and ${waits} waits of ${WAIT_MS} ms in one plan`,
      warmUp: `${WARM_UP_BURSTS} bursts of the plans, and one plan of waits`,
      metrics: {
        waitsPerS: {
          label: `waits of ${WAIT_MS} ms, at most ${(ROOM * executors * 1_000) / WAIT_MS}/s`,
          unit: "1/s",
          better: "higher",
        },
        noopsPerS: { label: "no-op steps", unit: "1/s", better: "higher" },
      },
      measure: (context) =>
        withSystem(context, {
          system: { executors, env: { EXECUTOR_CONCURRENCY: String(ROOM) } },
          warmUp: async ({ client }) => {
            await timedEach(WARM_UP_BURSTS, () => atOnce(PLANS, () => runPlan(client, noop)));
            await runPlan(client, waiting);
          },
          ours: async ({ client }) => {
            const bursts = await timedEach(BURSTS, () => atOnce(PLANS, () => runPlan(client, noop)));
            const waitsMs = await timed(() => runPlan(client, waiting));
            return {
              steps: BURSTS * PLANS * STEPS + waits,
              values: {
                noopsPerS: (PLANS * STEPS * 1_000) / median(bursts),
                waitsPerS: (waits * 1_000) / waitsMs,
              },
              samples: { burstMs: bursts, waitsMs: [waitsMs] },
            };
          },
        }),
    };
  });
}
