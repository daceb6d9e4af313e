/** The cost of quotas, and the cost to other tenants when one floods the gateway beyond its quotas and limits. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Planwright } from "@planwright/client";
import { planTimes } from "../measure/plan-times.ts";
import { quantile } from "../measure/statistics.ts";
import { startBenchSystem } from "../system/start-bench-system.ts";
import type { RunReading, Workload } from "./workload.ts";

const WARM_UP_PLANS = 50;
const PLANS = 50;
const FLOOD_CLIENTS = 8;
const FLOODED_AFTER_MS = 1_000;
const TOO_LARGE_BYTES = 5 * 1024 * 1024;
const MANY = 1_000_000;

const ONE_STEP = {
  goal: "one step",
  plan: { steps: [{ id: "a", tool: "flow.echo", args: { value: 1 } }], answerFrom: "a" },
};
const TOO_LARGE = JSON.stringify({ goal: "x".repeat(TOO_LARGE_BYTES) });
const POLICY = {
  tenants: {
    limited: {
      quotas: { openPlans: MANY, submissionsPerMinute: MANY, tokensPerDay: MANY, tokensPerMonth: MANY },
      quotasPerKey: { openPlans: MANY, submissionsPerMinute: MANY },
    },
    flood: { quotas: { submissionsPerMinute: 1 } },
  },
};

export function quotas(): Workload {
  return {
    name: "quotas",
    title: `plans of a tenant with six quotas, and beside ${FLOOD_CLIENTS} clients of another one that are refused all the time`,
    warmUp: `${WARM_UP_PLANS} plans of each tenant`,
    metrics: {
      besideFloodMaxMs: {
        label: "a plan beside clients that are over their quota, the slowest",
        unit: "ms",
        better: "lower",
        target: 1_000,
      },
      besideFloodMs: {
        label: "a plan beside clients that are over their quota, p50",
        unit: "ms",
        better: "lower",
      },
      besideTooLargeMaxMs: {
        label: "a plan beside clients that send bodies of 5 MiB, the slowest",
        unit: "ms",
        better: "lower",
        target: 1_000,
      },
      limitedMs: { label: "a plan with six quotas, p50", unit: "ms", better: "lower" },
      freeMs: { label: "a plan without a quota, p50", unit: "ms", better: "lower" },
      refusalsPerS: { label: "refusals by a quota", unit: "1/s", better: "higher" },
      tooLargePerS: { label: "refusals of bodies of 5 MiB", unit: "1/s", better: "higher" },
    },
    async *measure({ runs, profileDir, say }) {
      const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-quotas-"));
      await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
      const policy = path.join(folder, "policy.json");
      await writeFile(policy, JSON.stringify(POLICY));
      const keys = ["limited", "free", "flood"].map((tenant) => `${tenant}:key-of-${tenant}`);
      // No code runs in child processes.
      const env = { PLANWRIGHT_API_KEYS: keys.join(","), PLANWRIGHT_POLICY: policy, SANDBOX_WALL: "off" };
      await using system = await startBenchSystem({ env, profileDir });
      const clientOf = (tenant: string) =>
        new Planwright({ baseUrl: system.url, apiKey: `key-of-${tenant}` });
      const [limited, free, flood] = [clientOf("limited"), clientOf("free"), clientOf("flood")];
      say("warming up");
      for (const client of [limited, free]) await planTimes(client, ONE_STEP, WARM_UP_PLANS);
      for (let run = 1; run <= runs; run += 1) {
        say(`run ${run} of ${runs}`);
        yield await measureRun({ limited, free, flood });
      }
    },
  };
}

async function measureRun(
  clients: Readonly<Record<"limited" | "free" | "flood", Planwright>>,
): Promise<RunReading> {
  const { limited, free, flood } = clients;
  const [without, withQuotas] = [
    await planTimes(free, ONE_STEP, PLANS),
    await planTimes(limited, ONE_STEP, PLANS),
  ];
  const overQuota = await beside(flood, JSON.stringify(ONE_STEP), 429, () =>
    planTimes(limited, ONE_STEP, PLANS),
  );
  const tooLarge = await beside(flood, TOO_LARGE, 413, () => planTimes(limited, ONE_STEP, PLANS));
  return {
    values: {
      besideFloodMaxMs: Math.max(...overQuota.times),
      besideFloodMs: quantile(overQuota.times, 0.5),
      besideTooLargeMaxMs: Math.max(...tooLarge.times),
      limitedMs: quantile(withQuotas, 0.5),
      freeMs: quantile(without, 0.5),
      refusalsPerS: overQuota.refusalsPerS,
      tooLargePerS: tooLarge.refusalsPerS,
    },
    samples: { without, withQuotas, overQuota: overQuota.times, tooLarge: tooLarge.times },
  };
}

/** Measures while clients repeat a request that is refused with `status`; a few may be accepted first. */
async function beside(
  flood: Planwright,
  body: string,
  status: number,
  measure: () => Promise<number[]>,
): Promise<{ readonly times: number[]; readonly refusalsPerS: number }> {
  let refusals = 0;
  let isOver = false;
  const send = async (): Promise<void> => {
    while (!isOver) {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body };
      const response = await flood.fetch("/v1/plans", init);
      await response.arrayBuffer();
      if (response.status === status) refusals += 1;
      else if (response.status !== 202) throw new Error(`wanted ${status}, got ${response.status}`);
    }
  };
  const sending = Promise.all(Array.from({ length: FLOOD_CLIENTS }, send));
  await Promise.race([sending, delay(FLOODED_AFTER_MS)]);
  const [before, sentFrom] = [refusals, performance.now()];
  const times = await Promise.race([measure(), sending.then(() => [])]);
  const seconds = (performance.now() - sentFrom) / 1_000;
  const refusalsPerS = (refusals - before) / seconds;
  isOver = true;
  await sending;
  return { times, refusalsPerS };
}
