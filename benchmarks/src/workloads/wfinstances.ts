/** How close the makespan of real workflows is to the minimum, with unlimited slots and with four. */
import { median } from "../measure/statistics.ts";
import { INSTANCES, type InstanceName, readInstance } from "../workflows/instances.ts";
import { criticalPathMs, listScheduleMs, type Task } from "../workflows/task.ts";
import { runPlan, timedEach } from "./run-shape.ts";
import { chain, type Shape, waitsOf } from "./shapes.ts";
import { withSystem } from "./with-system.ts";
import type { MetricSpec, Workload } from "./workload.ts";

const PATH_MS = 3_000;
const SLOTS = 4;
/** Plans of each workflow in a run: the result is their median. */
const PLANS = 3;
const WARM_UP_CHAINS = 50;
/** The critical path of the warm-up plans. */
const WARM_UP_PATH_MS = 300;

export function workflowWorkloads(): Workload[] {
  return [
    workflows("wfinstances", {
      title: `${INSTANCES.length} workflows of WfInstances as waits with a critical path of ${PATH_MS / 1_000} s: time from the submission to the answer over the critical path, p50 of ${PLANS}`,
      target: 1.5,
      boundMs: criticalPathMs,
      env: {},
    }),
    workflows(`wfinstances-${SLOTS}`, {
      title: `the same with ${SLOTS} slots, over the list schedule that begins the longest remaining path first`,
      target: 3,
      boundMs: (tasks) => listScheduleMs(tasks, SLOTS),
      env: { EXECUTOR_CONCURRENCY: String(SLOTS) },
    }),
  ];
}

type Options = Pick<Workload, "title"> & {
  /** Per cent of the lower bound. */
  readonly target: number;
  readonly boundMs: (tasks: readonly Task[]) => number;
  readonly env: Readonly<Record<string, string>>;
};

function workflows(name: string, { title, target, boundMs, env }: Options): Workload {
  return {
    name,
    title,
    warmUp: `${WARM_UP_CHAINS} chains of 20 no-op steps, and every workflow with a critical path of ${WARM_UP_PATH_MS} ms`,
    metrics: {
      worst: { label: "the workflow with the largest overhead", unit: "%", better: "lower", target },
      ...(Object.fromEntries(
        INSTANCES.map((instance) => [instance, { label: instance, unit: "%", better: "lower", target }]),
      ) satisfies Record<string, MetricSpec>),
    },
    async *measure(context) {
      const plans = await plansOf(PATH_MS);
      const small = await plansOf(WARM_UP_PATH_MS);
      yield* withSystem(context, {
        system: { env },
        warmUp: async ({ client }) => {
          await timedEach(WARM_UP_CHAINS, () => runPlan(client, chain(20)));
          for (const { shape } of small) await runPlan(client, shape);
        },
        ours: async ({ client }) => {
          const samples: Record<string, number[]> = Object.fromEntries(INSTANCES.map((name) => [name, []]));
          for (let round = 0; round < PLANS; round += 1) {
            for (const { instance, shape } of plans)
              samples[instance]?.push((await runPlan(client, shape)).answeredMs);
          }
          const overheads = plans.map(({ instance, tasks }): [InstanceName, number] => {
            return [instance, (median(samples[instance] ?? []) / boundMs(tasks) - 1) * 100];
          });
          const worst = Math.max(...overheads.map(([, percent]) => percent));
          const steps = PLANS * plans.reduce((sum, { shape }) => sum + shape.steps, 0);
          return { steps, values: { worst, ...Object.fromEntries(overheads) }, samples };
        },
      });
    },
  };
}

type WorkflowPlan = {
  readonly instance: InstanceName;
  readonly tasks: readonly Task[];
  readonly shape: Shape;
};

async function plansOf(pathMs: number): Promise<WorkflowPlan[]> {
  const plans: WorkflowPlan[] = [];
  for (const instance of INSTANCES) {
    const tasks = await readInstance(instance, pathMs);
    plans.push({ instance, tasks, shape: waitsOf(instance, tasks) });
  }
  return plans;
}
