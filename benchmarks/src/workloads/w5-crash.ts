/** W5: how long the effects of a worker's crash last, and whether anything runs twice because of it. */
import { startEffectCounter } from "@planwright/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { atOnce, runPlan, timedEach } from "./run-shape.ts";
import { chain, chainWithEffect, type Shape } from "./shapes.ts";
import { type Stage, withSystem } from "./with-system.ts";
import type { MetricSpec, Workload } from "./workload.ts";

const PLANS = 300;
const STEPS = 5;
const WARM_UP_BURSTS = 8;
const RESTART_AFTER_MS = 1_000;
/** The kill comes early: clients receive events of fused steps when most of a burst is over. */
const PARTS = 5;

const TITLE = `a SIGKILL of the only executor when a client knows that a fifth of the steps are done, started again after ${RESTART_AFTER_MS / 1_000} s: seconds from the kill to the last plan's end`;

const METRICS: Readonly<Record<string, MetricSpec>> = {
  recoveredS: { label: "all complete after the kill", unit: "s", better: "lower", target: 2.2 },
  complete: { label: `plans complete with the right answer, of ${PLANS}`, unit: "", better: "higher" },
  executorReadyS: { label: "the new executor is ready after the kill", unit: "s", better: "lower" },
};

export function w5Crash(): Workload {
  const shape = chain(STEPS);
  return {
    name: "W5",
    title: `W3 with ${TITLE}`,
    warmUp: `${WARM_UP_BURSTS} bursts`,
    metrics: METRICS,
    measure: (context) =>
      withSystem(context, { warmUp: (stage) => warmUp(stage, shape), ours: (stage) => crash(stage, shape) }),
  };
}

/** The same, with an effect in each plan, counted by its target server. */
export function w5Once(): Workload {
  return {
    name: "W5-once",
    title: `W5 whose plans each act once, on a server that acts on every request and counts: ${TITLE}`,
    warmUp: `${WARM_UP_BURSTS} bursts`,
    metrics: {
      ...METRICS,
      acted: { label: `effects, of ${PLANS}`, unit: "", better: "higher" },
      doubled: { label: "effects that took place twice", unit: "", better: "lower", target: 0 },
    },
    async *measure(context) {
      await using effects = await startEffectCounter();
      const shape = chainWithEffect({ url: effects.url("plain"), checkUrl: effects.url("check") });
      yield* withSystem(context, {
        system: { env: { HTTP_FETCH_ALLOW: effects.host } },
        warmUp: (stage) => warmUp(stage, shape),
        ours: async (stage) => {
          const before = effects.counts().size;
          const { values, samples } = await crash(stage, shape);
          const acted = effects.counts().size - before;
          return { values: { ...values, acted, doubled: effects.doubled().length }, samples };
        },
      });
    },
  };
}

function warmUp({ client }: Stage, shape: Shape): Promise<unknown> {
  return timedEach(WARM_UP_BURSTS, () => atOnce(PLANS, () => runPlan(client, shape)));
}

async function crash(stage: Stage, shape: Shape) {
  const { reached, onStep } = firstOf((PLANS * STEPS) / PARTS);
  const plans = atOnce(PLANS, () => runPlan(stage.client, shape, onStep));
  await Promise.race([reached, plans]);
  const killedAt = performance.now();
  const executorReadyMs = restartExecutor(stage, killedAt);
  const runs = await plans;
  const recoveredMs = performance.now() - killedAt;
  return {
    values: {
      recoveredS: recoveredMs / 1_000,
      complete: runs.length,
      executorReadyS: (await executorReadyMs) / 1_000,
    },
    samples: { planMs: runs.map(({ endedMs }) => endedMs) },
  };
}

async function restartExecutor({ system }: Stage, killedAt: number): Promise<number> {
  await system.kill("executor");
  await delay(RESTART_AFTER_MS);
  await system.start("executor");
  return performance.now() - killedAt;
}

/** Resolves once this many steps are known to be done. */
function firstOf(steps: number): { readonly reached: Promise<void>; readonly onStep: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let heard = 0;
  const onStep = (): void => {
    heard += 1;
    if (heard >= steps) resolve();
  };
  return { reached: promise, onStep };
}
