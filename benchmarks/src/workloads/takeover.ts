/** How long plans wait when one of two planners stops, and whether that grows with the number of ended plans. */
import { BUCKETS, connectBus, openBucket } from "@planwright/shared/bus";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { atOnce, runPlan } from "./run-shape.ts";
import { chain } from "./shapes.ts";
import { type Stage, withSystem } from "./with-system.ts";
import type { Workload } from "./workload.ts";

const ENDED_BEFORE = [1_000, 10_000, 50_000];
/** Enough that some belong to each of the 16 partitions. */
const PLANS = 200;
const BURST = 250;
const SHARED_POLL_MS = 50;
const shape = chain(1);

export function takeoverWorkloads(): Workload[] {
  return ENDED_BEFORE.map((ended) => ({
    name: `takeover-${ended}`,
    title: `one of two planners goes after ${ended} plans have ended, ${PLANS} plans of one step submitted just then: the end of the last`,
    warmUp: `the ${ended} plans`,
    metrics: {
      killedS: { label: "killed", unit: "s", better: "lower", target: 3 },
      stoppedS: { label: "asked to stop", unit: "s", better: "lower" },
    },
    measure: (context) =>
      withSystem(context, {
        warmUp: async ({ client }) => {
          for (let done = 0; done < ended; done += BURST) await atOnce(BURST, () => runPlan(client, shape));
        },
        ours: async (stage) => ({
          values: { killedS: await lastEndS(stage, "kill"), stoppedS: await lastEndS(stage, "stop") },
        }),
      }),
  }));
}

async function lastEndS({ system, client }: Stage, how: "kill" | "stop"): Promise<number> {
  await system.start("planner");
  await untilShared(system.natsUrl);
  const going = system.endOldest("planner", how);
  const runs = await atOnce(PLANS, () => runPlan(client, shape));
  await going;
  return Math.max(...runs.map(({ endedMs }) => endedMs)) / 1_000;
}

const Ownership = z.object({ owner: z.string() });

/** Waits until two planners own half of the partitions each. */
async function untilShared(url: string): Promise<void> {
  await using bus = await connectBus({ url, name: "bench" });
  const leases = await openBucket(bus, BUCKETS.leases);
  for (;;) {
    const owners = (await leases.list(["partition.*"])).map(
      ({ value = "" }) => Ownership.parse(JSON.parse(value)).owner,
    );
    const shares = Object.values(Object.groupBy(owners, (owner) => owner)).map((own) => own?.length);
    if (shares.length === 2 && shares.every((share) => share === 8)) return;
    await delay(SHARED_POLL_MS);
  }
}
