/** The cost of many stored plans: listing and searching them, and the memory of each service. */
import { setTimeout } from "node:timers/promises";
import { Planwright } from "@planwright/client";
import { memoryMibOf } from "../measure/cpu-usage.ts";
import { quantile } from "../measure/statistics.ts";
import { atOnce, runPlan, timedEach } from "./run-shape.ts";
import { chain } from "./shapes.ts";
import { type Stage, withSystem } from "./with-system.ts";
import type { MetricSpec, Workload, WorkloadContext } from "./workload.ts";

const BURST = 250;
/** Within this time, an idle process returns the memory of its garbage. */
const REST_MS = 30_000;
const LISTINGS = 100;
const PROCESSES = ["gateway", "planner", "executor", "reflector", "nats-server"];

type Query = { readonly ask: (client: Planwright) => Promise<unknown>; readonly label: string };

/** The queries; each list is one page of 50. */
const QUERIES: Readonly<Record<string, Query>> = {
  listMs: { ask: ({ plans }) => plans.list().firstPage(), label: "listing the newest plans" },
  statusMs: {
    ask: ({ plans }) => plans.list({ status: "succeeded" }).firstPage(),
    label: "listing the succeeded ones",
  },
  searchMs: {
    ask: ({ plans }) => plans.list({ q: "chain" }).firstPage(),
    label: "searching a word that every plan has",
  },
  kpisMs: {
    ask: ({ metrics }) => metrics.get({ period: "day" }),
    label: "metrics of all plans, by strategy and by day",
  },
  missMs: {
    ask: ({ plans }) => plans.list({ q: "nowhere" }).firstPage(),
    label: "searching a word that none has",
  },
};

export function storedPlans(): Workload {
  return {
    name: "stored-plans",
    title: `100,000 ended plans of one step stored (or --plans): p50 of ${LISTINGS} listings over HTTP, and memory after them and half a minute later`,
    warmUp: "submitting the plans",
    metrics: {
      ...Object.fromEntries(
        Object.entries(QUERIES).map(([key, { label }], index): [string, MetricSpec] => [
          key,
          { label, unit: "ms", better: "lower", ...(index === 0 ? { target: 50 } : {}) },
        ]),
      ),
      ...Object.fromEntries(
        PROCESSES.flatMap((name): [string, MetricSpec][] => [
          [`${name}Mib`, { label: `memory of the ${name}`, unit: "MiB", better: "lower" }],
          [`${name}RestMib`, { label: `memory of the ${name} at rest`, unit: "MiB", better: "lower" }],
          [`${name}BeforeMib`, { label: `memory of the ${name} before`, unit: "MiB", better: "lower" }],
        ]),
      ),
      plansPerS: { label: "plans per second while they were submitted", unit: "1/s", better: "higher" },
      plans: { label: "plans stored", unit: "", better: "higher" },
    },
    measure,
  };
}

function measure(context: WorkloadContext) {
  const before: Record<string, number> = {};
  let plansPerS = 0;
  return withSystem(context, {
    warmUp: async (stage) => {
      for (const [name, mib] of await memoryOf(stage)) before[`${name}BeforeMib`] = mib;
      const startedAt = performance.now();
      await fill(stage, context);
      plansPerS = (context.plans * 1_000) / (performance.now() - startedAt);
    },
    ours: async (stage) => {
      const values: Record<string, number> = { ...before, plansPerS, plans: context.plans };
      const samples: Record<string, number[]> = {};
      const client = new Planwright({ baseUrl: stage.system.url, maxRetries: 0 });
      for (const [key, { ask }] of Object.entries(QUERIES)) {
        const found = await timedEach(LISTINGS, async () => void (await ask(client)));
        samples[key] = found;
        values[key] = quantile(found, 0.5);
      }
      for (const [name, mib] of await memoryOf(stage)) values[`${name}Mib`] = mib;
      await setTimeout(REST_MS);
      for (const [name, mib] of await memoryOf(stage)) values[`${name}RestMib`] = mib;
      return { values, samples };
    },
  });
}

async function fill({ client }: Stage, { plans, say }: WorkloadContext): Promise<void> {
  const shape = chain(1);
  for (let stored = 0; stored < plans; stored += BURST) {
    if (stored > 0 && stored % 10_000 === 0) say(`${stored} plans`);
    await atOnce(Math.min(BURST, plans - stored), () => runPlan(client, shape));
  }
}

/** The sum over the processes of each name. */
async function memoryOf({ system }: Stage): Promise<Map<string, number>> {
  const found = new Map<string, number>(PROCESSES.map((name) => [name, 0]));
  for (const { name, pid } of system.processes()) {
    if (found.has(name)) found.set(name, (found.get(name) ?? 0) + (await memoryMibOf(pid)));
  }
  return found;
}
