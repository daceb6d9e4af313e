/** The time from a plan's submission until its first step is on its way to a worker. */
import { connectNats } from "@planwright/shared/access";
import { quantile } from "../measure/statistics.ts";
import { runPlan, timedEach } from "./run-shape.ts";
import { chain, fanOut } from "./shapes.ts";
import { type Stage, withSystem } from "./with-system.ts";
import type { MetricSpec, RunReading, Workload } from "./workload.ts";

const WARM_UP_PLANS = 1_000;
const PLANS_BY_STEPS = { 1: 100, 100: 20, 1000: 5 } as const;
/** `work.step.<pool>.<planId>.…` */
const PLAN_TOKEN = 3;

export function firstStep(): Workload {
  const sizes = Object.entries(PLANS_BY_STEPS).map(([steps, plans]) => ({ steps: Number(steps), plans }));
  return {
    name: "first-step",
    title:
      "from the submission to the first step's work message, and to the answer of a plan of one step, one plan at a time",
    warmUp: `${WARM_UP_PLANS} plans of 5 steps`,
    metrics: {
      ...Object.fromEntries(
        sizes.flatMap(({ steps }): [string, MetricSpec][] => {
          const of = steps === 1 ? "a plan of one step" : `a plan of ${steps} steps`;
          const target = steps === 1 ? { target: 1.5 } : {};
          return [
            [`dispatched${steps}Ms`, { label: `${of}, p50`, unit: "ms", better: "lower", ...target }],
            [`dispatched${steps}P99Ms`, { label: `${of}, p99`, unit: "ms", better: "lower" }],
          ];
        }),
      ),
      answered1Ms: {
        label: "a plan of one step, to its answer, p50",
        unit: "ms",
        better: "lower",
        target: 3,
      },
    },
    async *measure(context) {
      yield* withSystem(context, {
        warmUp: ({ client }) => timedEach(WARM_UP_PLANS, () => runPlan(client, chain(5))),
        ours: (stage) => measureSizes(stage, sizes),
      });
    },
  };
}

async function measureSizes(
  { client, system }: Stage,
  sizes: readonly { readonly steps: number; readonly plans: number }[],
): Promise<Required<Pick<RunReading, "values" | "samples">> & { steps: number }> {
  const connection = await connectNats({ url: system.natsUrl }, { name: "bench" });
  const firstAt = new Map<string, number>();
  // A plain subscriber beside the stream: it receives each message as soon as the server does.
  connection.subscribe("work.step.>", {
    callback: (_, { subject }) => {
      const planId = subject.split(".")[PLAN_TOKEN] ?? "";
      if (!firstAt.has(planId)) firstAt.set(planId, performance.now());
    },
  });
  await connection.flush();
  const values: Record<string, number> = {};
  const samples: Record<string, number[]> = {};
  for (const { steps, plans } of sizes) {
    const sentAt = new Map<string, number>();
    const answered: number[] = [];
    for (let plan = 0; plan < plans; plan += 1) {
      const now = performance.now();
      const { planId, answeredMs } = await runPlan(client, fanOut(steps));
      sentAt.set(planId, now);
      answered.push(answeredMs);
    }
    // The subscriber may receive the last messages after the client has seen their plans end.
    await connection.flush();
    const found = Array.from(sentAt, ([planId, sent]) => dispatchedAt(planId, firstAt) - sent);
    samples[`dispatched${steps}Ms`] = found;
    values[`dispatched${steps}Ms`] = quantile(found, 0.5);
    values[`dispatched${steps}P99Ms`] = quantile(found, 0.99);
    if (steps === 1) {
      samples["answered1Ms"] = answered;
      values["answered1Ms"] = quantile(answered, 0.5);
    }
  }
  await connection.close();
  return { steps: sizes.reduce((sum, { steps, plans }) => sum + steps * plans, 0), values, samples };
}

function dispatchedAt(planId: string, firstAt: ReadonlyMap<string, number>): number {
  const at = firstAt.get(planId);
  if (at === undefined) throw new Error(`no step of ${planId} was sent to a worker`);
  return at;
}
