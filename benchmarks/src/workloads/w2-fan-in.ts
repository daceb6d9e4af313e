/** W2: a wide plan, all of whose steps are ready at the same time. */
import { median } from "../measure/statistics.ts";
import { runPlan, runPromises, timedEach } from "./run-shape.ts";
import { chain, fanIn } from "./shapes.ts";
import { type Variant, variantName, withSystem } from "./with-system.ts";
import type { Workload } from "./workload.ts";

const WIDTH = 100;
const WARM_UP_PLANS = 300;
const PLANS = 30;

const TARGETS = { fused: 9, unfused: 22 };

export function w2FanIn(variant: Exclude<Variant, "http"> = "fused"): Workload {
  const shape = fanIn(WIDTH);
  // A unit is one job.
  const { dag } = variant === "unfused" ? shape : chain(1);
  return {
    name: variantName("W2", variant),
    title: `${WIDTH} no-op steps in parallel and one that joins them, time from the submission to the answer, p50 of ${PLANS}`,
    warmUp: `${WARM_UP_PLANS} plans of the same shape, and as many on the floor`,
    stepsPerPlan: shape.steps,
    metrics: {
      makespanMs: { label: "makespan", unit: "ms", better: "lower", target: TARGETS[variant] },
      acceptedMs: { label: "submission accepted", unit: "ms", better: "lower" },
      firstStepMs: { label: "submission to first result", unit: "ms", better: "lower" },
      jetStreamMs: { label: "bare JetStream", unit: "ms", better: "lower" },
      promisesMs: { label: "promises in one process", unit: "ms", better: "lower" },
    },
    floors: ["jetStreamMs", "promisesMs"],
    measure: (context) =>
      withSystem(context, {
        variant,
        warmUp: async ({ client, floor }) => {
          await timedEach(WARM_UP_PLANS, () => floor.run(dag));
          await timedEach(WARM_UP_PLANS, () => runPromises(shape));
          await timedEach(WARM_UP_PLANS, () => runPlan(client, shape));
        },
        beside: async ({ floor }) => ({
          jetStreamMs: median(await timedEach(PLANS, () => floor.run(dag))),
          promisesMs: median(await timedEach(PLANS, () => runPromises(shape))),
        }),
        ours: async ({ client }) => {
          const runs = [];
          for (let plan = 0; plan < PLANS; plan += 1) runs.push(await runPlan(client, shape));
          const makespans = runs.map(({ answeredMs }) => answeredMs);
          return {
            steps: PLANS * shape.steps,
            values: {
              makespanMs: median(makespans),
              acceptedMs: median(runs.map(({ acceptedMs }) => acceptedMs)),
              firstStepMs: median(runs.map(({ stepsMs }) => stepsMs[0] ?? 0)),
            },
            samples: { makespanMs: makespans },
          };
        },
      }),
  };
}
