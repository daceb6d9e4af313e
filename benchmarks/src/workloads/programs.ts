/** The cost of a program in its sandbox, alone and with tool calls, and the memory of its worker. */
import { Planwright } from "@planwright/client";
import { childrenOf, memoryMibTogether } from "../measure/memory-together.ts";
import { quantile } from "../measure/statistics.ts";
import { runPlan } from "./run-shape.ts";
import type { Shape } from "./shapes.ts";
import { type Stage, withSystem } from "./with-system.ts";
import type { Workload } from "./workload.ts";

const WARM_UP_PLANS = 20;
const PLANS = 100;
const CALLS = 50;
/** Of the worker and its sandbox together. */
const WORKER_MIB_TARGET = 256;
const STEP_MS_TARGET = 10;

export function programs(): Workload {
  return {
    name: "programs",
    title: `${PLANS} plans with a program, one at a time, and a program that calls a tool ${CALLS} times`,
    warmUp: `${WARM_UP_PLANS} plans with a program`,
    metrics: {
      stepMs: {
        label: "a program's step in a warm sandbox, p50",
        unit: "ms",
        better: "lower",
        target: STEP_MS_TARGET,
      },
      planMs: { label: "its plan, from submission to answer, p50", unit: "ms", better: "lower" },
      callMs: { label: "a call of a tool that only reads", unit: "ms", better: "lower" },
      workerMib: {
        label: "memory of worker and sandbox, what they share once",
        unit: "MiB",
        better: "lower",
        target: WORKER_MIB_TARGET,
      },
    },
    measure: (context) =>
      withSystem(context, {
        warmUp: (stage) => samplesOf(stage, WARM_UP_PLANS),
        ours: async (stage) => {
          const { stepMs, planMs } = await samplesOf(stage, PLANS);
          const calling = await runPlan(stage.client, program(CALLING, CALLS, ["math.evaluate"]));
          return {
            steps: 2 * PLANS,
            samples: { stepMs, planMs },
            values: {
              stepMs: quantile(stepMs, 0.5),
              planMs: quantile(planMs, 0.5),
              callMs: (await stepMsOf(stage, calling.planId)) / CALLS,
              workerMib: await workerMib(stage),
            },
          };
        },
      }),
  };
}

const CALLING = `let made = 0; while (made < ${CALLS}) { tools.math.evaluate({ expression: "1 + 1" }); made += 1; } return made`;

/** A program, and a step that returns its result as the answer. */
function program(code: string, answer: unknown, tools: readonly string[] = []): Shape {
  const args = { language: "javascript", code, ...(tools.length === 0 ? {} : { tools }) };
  const steps = [
    { id: "program", tool: "code.run", args },
    { id: "result", tool: "flow.echo", args: { value: { $ref: "program.output.result" } } },
  ];
  return { body: { goal: "a program", plan: { steps } }, answer, dag: [], steps: steps.length };
}

async function samplesOf(stage: Stage, plans: number): Promise<{ stepMs: number[]; planMs: number[] }> {
  const stepMs: number[] = [];
  const planMs: number[] = [];
  for (let plan = 0; plan < plans; plan += 1) {
    const { planId, answeredMs } = await runPlan(
      stage.client,
      program("return [1, 2].map((n) => n * 2)", [2, 4]),
    );
    planMs.push(answeredMs);
    stepMs.push(await stepMsOf(stage, planId));
  }
  return { stepMs, planMs };
}

/** As measured by its worker, in whole milliseconds. */
async function stepMsOf({ system }: Stage, planId: string): Promise<number> {
  const [step] = (await new Planwright({ baseUrl: system.url }).plans.get(planId)).steps;
  if (step?.durationMs === undefined) throw new Error(`${planId} does not say how long its program took`);
  return step.durationMs;
}

/** The sandbox processes are children of the worker. */
async function workerMib({ system }: Stage): Promise<number> {
  const workers = system.processes().flatMap(({ name, pid }) => (name === "executor" ? [pid] : []));
  const sandboxes = (await Promise.all(workers.map(childrenOf))).flat();
  const held = sandboxes.filter(({ command }) => command.includes("sandbox-child")).map(({ pid }) => pid);
  return memoryMibTogether([...workers, ...held]);
}
