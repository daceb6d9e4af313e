/** The duration of a tenant's small plan while another tenant's work fills all workers, or all sandboxes. */
import { setTimeout as delay } from "node:timers/promises";
import { Planwright } from "@planwright/client";
import { planTimes } from "../measure/plan-times.ts";
import { quantile } from "../measure/statistics.ts";
import { startBenchSystem } from "../system/start-bench-system.ts";
import type { RunReading, Workload } from "./workload.ts";

const WARM_UP_PLANS = 20;
const PLANS = 20;
const STEPS = 10_000;
const STEP_MS = 2_000;
const PROGRAMS = 300;
/** Time until the other tenant's work is in progress. */
const FILLED_AFTER_MS = 3_000;

const ONE_STEP = planOf(1, "flow.echo", { value: 1 });
const ONE_PROGRAM = planOf(1, "code.run", { language: "javascript", code: "return 1" });
const MANY_STEPS = planOf(STEPS, "flow.wait", { ms: STEP_MS });
const ENDLESS_PROGRAMS = planOf(PROGRAMS, "code.run", { language: "javascript", code: "for (;;) {}" });

function planOf(count: number, tool: string, args: object) {
  const steps = Array.from({ length: count }, (_, index) => ({ id: `s${index}`, tool, args }));
  return { goal: `${count} steps of ${tool}`, plan: { steps, answerFrom: "s0" } };
}

export function sharing(): Workload {
  return {
    name: "sharing",
    title: `a plan of one step, while another tenant has ${STEPS} steps of ${STEP_MS / 1_000} s, or ${PROGRAMS} endless programs`,
    warmUp: `${WARM_UP_PLANS} plans of one step and of one program`,
    metrics: {
      besideStepsMaxMs: {
        label: `beside ${STEPS} steps, the slowest`,
        unit: "ms",
        better: "lower",
        target: 1_000,
      },
      besideStepsMs: { label: `beside ${STEPS} steps, p50`, unit: "ms", better: "lower" },
      aloneMs: { label: "alone, p50", unit: "ms", better: "lower" },
      besideProgramsMaxMs: {
        label: `a program beside ${PROGRAMS} endless ones, the slowest`,
        unit: "ms",
        better: "lower",
        target: 1_000,
      },
      besideProgramsMs: {
        label: `a program beside ${PROGRAMS} endless ones, p50`,
        unit: "ms",
        better: "lower",
      },
      programAloneMs: { label: "a program alone, p50", unit: "ms", better: "lower" },
    },
    async *measure({ runs, profileDir, say }) {
      // Without the wall: it is measured elsewhere, and not available on every machine.
      const env = { PLANWRIGHT_API_KEYS: "large:key-of-large,small:key-of-small", SANDBOX_WALL: "off" };
      await using system = await startBenchSystem({ env, profileDir });
      const large = new Planwright({ baseUrl: system.url, apiKey: "key-of-large" });
      const small = new Planwright({ baseUrl: system.url, apiKey: "key-of-small" });
      say("warming up");
      await planTimes(small, ONE_STEP, WARM_UP_PLANS);
      await planTimes(small, ONE_PROGRAM, WARM_UP_PLANS);
      for (let run = 1; run <= runs; run += 1) {
        say(`run ${run} of ${runs}`);
        yield await measureRun({ large, small });
      }
    },
  };
}

async function measureRun({ large, small }: { large: Planwright; small: Planwright }): Promise<RunReading> {
  const alone = await planTimes(small, ONE_STEP, PLANS);
  const programAlone = await planTimes(small, ONE_PROGRAM, PLANS);
  const besideSteps = await beside(large, MANY_STEPS, () => planTimes(small, ONE_STEP, PLANS));
  const besidePrograms = await beside(large, ENDLESS_PROGRAMS, () => planTimes(small, ONE_PROGRAM, PLANS));
  return {
    values: {
      besideStepsMaxMs: Math.max(...besideSteps),
      besideStepsMs: quantile(besideSteps, 0.5),
      aloneMs: quantile(alone, 0.5),
      besideProgramsMaxMs: Math.max(...besidePrograms),
      besideProgramsMs: quantile(besidePrograms, 0.5),
      programAloneMs: quantile(programAlone, 0.5),
    },
    samples: { alone, programAlone, besideSteps, besidePrograms },
  };
}

/** Measures while another tenant's plan runs, then cancels that plan. */
async function beside(
  other: Planwright,
  body: typeof MANY_STEPS,
  measure: () => Promise<number[]>,
): Promise<number[]> {
  const { planId } = await other.plans.submit(body);
  await delay(FILLED_AFTER_MS);
  const times = await measure();
  const { status } = await other.plans.get(planId);
  if (status !== "running") throw new Error(`the plan that was to fill the workers is ${status}`);
  await other.plans.cancel(planId);
  await other.plans.wait(planId).catch(() => undefined);
  return times;
}
