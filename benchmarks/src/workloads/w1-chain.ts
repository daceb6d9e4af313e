/** W1: the cost of a step when nothing else runs. */
import { median } from "../measure/statistics.ts";
import { runPlan, runPromises, timedEach } from "./run-shape.ts";
import { chain } from "./shapes.ts";
import { type Variant, variantName, withSystem } from "./with-system.ts";
import type { Workload } from "./workload.ts";

const LENGTH = 20;
/** A fused plan is only four messages: V8 optimizes their handlers only after hundreds of plans. */
const WARM_UP_PLANS = 1_000;
const PLANS = 50;

const TARGETS = { fused: 0.15, unfused: 0.8, http: undefined };

export function w1Chain(variant: Variant = "fused"): Workload {
  const shape = chain(LENGTH);
  const target = TARGETS[variant];
  // A unit is one job.
  const { dag } = variant === "unfused" ? shape : chain(1);
  return {
    name: variantName("W1", variant),
    title: `chain of ${LENGTH} no-op steps, time from the submission to the answer by step, p50 of ${PLANS}`,
    warmUp: `${WARM_UP_PLANS} plans of the same shape, and as many on the floor`,
    stepsPerPlan: LENGTH,
    metrics: {
      stepMs: {
        label: "time per step",
        unit: "ms",
        better: "lower",
        ...(target === undefined ? {} : { target }),
      },
      betweenStepsMs: { label: "from one step's result to the next", unit: "ms", better: "lower" },
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
          jetStreamMs: median(await timedEach(PLANS, () => floor.run(dag))) / LENGTH,
          promisesMs: median(await timedEach(PLANS, () => runPromises(shape))) / LENGTH,
        }),
        ours: async ({ client }) => {
          const runs = [];
          for (let plan = 0; plan < PLANS; plan += 1) runs.push(await runPlan(client, shape));
          const perStep = runs.map(({ answeredMs }) => answeredMs / LENGTH);
          const between = runs.map(
            ({ stepsMs: [first = 0, ...rest] }) => ((rest.at(-1) ?? 0) - first) / (LENGTH - 1),
          );
          return {
            steps: PLANS * LENGTH,
            values: {
              stepMs: median(perStep),
              betweenStepsMs: median(between),
              acceptedMs: median(runs.map(({ acceptedMs }) => acceptedMs)),
              firstStepMs: median(runs.map(({ stepsMs }) => stepsMs[0] ?? 0)),
            },
            samples: { stepMs: perStep },
          };
        },
      }),
  };
}
