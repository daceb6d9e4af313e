/** Whether a step costs more in a larger plan. */
import { cpuBetween, readCpu } from "../measure/cpu-usage.ts";
import { median } from "../measure/statistics.ts";
import { runPlan, timedEach } from "./run-shape.ts";
import { fanOut } from "./shapes.ts";
import { withSystem } from "./with-system.ts";
import type { MetricSpec, Workload } from "./workload.ts";

/** Number of plans of each size in a run. */
const PLANS_BY_SIZE = { 10: 30, 100: 10, 1000: 3, 10000: 1 } as const;
/** A plan of ten times as many steps may take ten times as long. */
const GROWTH_MAX = 10;

export function planSize(): Workload {
  const sizes = Object.entries(PLANS_BY_SIZE).map(([steps, plans]) => ({ steps: Number(steps), plans }));
  return {
    name: "plan-size",
    title: "independent no-op steps in one plan: what a step costs against the number of steps",
    warmUp: "40 plans of 100 steps and 2 of 1,000",
    metrics: {
      growth: {
        label: "1,000 steps take so many times as long as 100",
        unit: "",
        better: "lower",
        target: GROWTH_MAX,
      },
      ...Object.fromEntries(
        sizes.flatMap(({ steps }): [string, MetricSpec][] => [
          [`step${steps}Ms`, { label: `a step of ${steps}`, unit: "ms", better: "lower" }],
          [`cpu${steps}Ms`, { label: `a step of ${steps}, processor time`, unit: "ms", better: "lower" }],
          [`plan${steps}Ms`, { label: `a plan of ${steps}`, unit: "ms", better: "lower" }],
        ]),
      ),
    },
    measure: (context) =>
      withSystem(context, {
        warmUp: async ({ client }) => {
          await timedEach(40, () => runPlan(client, fanOut(100)));
          await timedEach(2, () => runPlan(client, fanOut(1_000)));
        },
        ours: async ({ client, system }) => {
          const values: Record<string, number> = {};
          const samples: Record<string, number[]> = {};
          for (const { steps, plans } of sizes) {
            const shape = fanOut(steps);
            const before = await readCpu(system.processes());
            const answered: number[] = [];
            for (let plan = 0; plan < plans; plan += 1) {
              answered.push((await runPlan(client, shape)).answeredMs);
            }
            const used = cpuBetween(before, await readCpu(system.processes()));
            const cpuMs = Object.values(used).reduce((sum, ms) => sum + ms, 0);
            values[`cpu${steps}Ms`] = cpuMs / (steps * plans);
            samples[`plan${steps}Ms`] = answered;
            values[`plan${steps}Ms`] = median(answered);
            values[`step${steps}Ms`] = median(answered) / steps;
          }
          values["growth"] = (values["plan1000Ms"] ?? 0) / (values["plan100Ms"] ?? 1);
          return { steps: sizes.reduce((sum, { steps, plans }) => sum + steps * plans, 0), values, samples };
        },
      }),
  };
}
