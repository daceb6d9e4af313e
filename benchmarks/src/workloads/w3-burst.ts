/** W3: the throughput when many plans are submitted simultaneously. */
import { median, quantile } from "../measure/statistics.ts";
import { atOnce, runPlan, runPromises, timed, timedEach } from "./run-shape.ts";
import { chain } from "./shapes.ts";
import { type Variant, variantName, withSystem } from "./with-system.ts";
import type { Workload } from "./workload.ts";

const PLANS = 300;
const STEPS = 5;
/** Until V8 has optimized the code that a plan runs: with 8 bursts, a fused plan cost half as much again. */
const WARM_UP_BURSTS = 50;
const BURSTS = 3;

const TARGETS = { fused: 2_000, unfused: 900, http: undefined };

export function w3Burst(variant: Variant = "fused"): Workload {
  const shape = chain(STEPS);
  const target = TARGETS[variant];
  // A unit is one job.
  const { dag } = variant === "unfused" ? shape : chain(1);
  const perSecond = (ms: number): number => (PLANS / ms) * 1_000;
  return {
    name: variantName("W3", variant),
    title: `${PLANS} plans, each a chain of ${STEPS} no-op steps, submitted at once, from the first submission to the last plan's end, median of ${BURSTS} bursts`,
    warmUp: `${WARM_UP_BURSTS} bursts, and as many on the floor`,
    stepsPerPlan: STEPS,
    metrics: {
      plansPerS: {
        label: "plans per second",
        unit: "1/s",
        better: "higher",
        ...(target === undefined ? {} : { target }),
      },
      planP50Ms: { label: "one plan, p50", unit: "ms", better: "lower" },
      planP99Ms: { label: "one plan, p99", unit: "ms", better: "lower" },
      jetStreamPerS: { label: "bare JetStream", unit: "1/s", better: "higher" },
      promisesPerS: { label: "promises in one process", unit: "1/s", better: "higher" },
    },
    floors: ["jetStreamPerS", "promisesPerS"],
    measure: (context) =>
      withSystem(context, {
        variant,
        warmUp: async ({ client, floor }) => {
          await timedEach(WARM_UP_BURSTS, () => atOnce(PLANS, () => floor.run(dag)));
          await timedEach(WARM_UP_BURSTS, () => atOnce(PLANS, () => runPromises(shape)));
          await timedEach(WARM_UP_BURSTS, () => atOnce(PLANS, () => runPlan(client, shape)));
        },
        beside: async ({ floor }) => ({
          jetStreamPerS: perSecond(
            median(await timedEach(BURSTS, () => atOnce(PLANS, () => floor.run(dag)))),
          ),
          promisesPerS: perSecond(
            median(await timedEach(BURSTS, () => atOnce(PLANS, () => runPromises(shape)))),
          ),
        }),
        ours: async ({ client }) => {
          const bursts: number[] = [];
          const plansMs: number[] = [];
          for (let burst = 0; burst < BURSTS; burst += 1) {
            const ms = await timed(async () => {
              const runs = await atOnce(PLANS, () => runPlan(client, shape));
              plansMs.push(...runs.map(({ endedMs }) => endedMs));
            });
            bursts.push(ms);
          }
          return {
            steps: BURSTS * PLANS * STEPS,
            values: {
              plansPerS: perSecond(median(bursts)),
              planP50Ms: quantile(plansMs, 0.5),
              planP99Ms: quantile(plansMs, 0.99),
            },
            samples: { burstMs: bursts, planMs: plansMs },
          };
        },
      }),
  };
}
