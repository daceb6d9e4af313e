// For each stream, the server dies that leads it, under load. The figures of docs/cluster.md are what this prints.
import { setTimeout as delay } from "node:timers/promises";
import { ALL_STREAMS } from "@planwright/shared/bus";
import { type FaultySystem, type NatsCluster, startFaultySystem } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killLeader, startLoopbackCluster, untilWhole } from "./support/loopback-cluster.ts";

const ROUNDS = 2;
const FLOW_MS = 2_000;

let cluster: NatsCluster;
let faulty: FaultySystem;
beforeAll(async () => {
  cluster = await startLoopbackCluster();
  faulty = await startFaultySystem({ cluster, replicas: 3 });
});
afterAll(async () => {
  await faulty?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

it("loses, repeats and holds up nothing while the leader of each stream dies", async () => {
  const { bus } = faulty;
  await untilWhole(bus);
  let electedAt = 0;
  bus.connection.subscribe("$JS.EVENT.ADVISORY.*.LEADER_ELECTED.>", {
    callback: () => void (electedAt = performance.now()),
  });
  const longest: string[] = [];
  const broken = await faulty.during(async (signal) => {
    for (const { name: stream } of ALL_STREAMS) {
      await delay(FLOW_MS);
      const probing = new AbortController();
      const probe = longestPlan(AbortSignal.any([signal, probing.signal]));
      await delay(FLOW_MS / 2);
      await killLeader(cluster, stream);
      const killedAt = performance.now();
      await delay(5 * FLOW_MS);
      const electionMs = Math.round(electedAt - killedAt);
      probing.abort();
      longest.push(`${stream} ${Math.round(await probe)} ms (election ${electionMs} ms)`);
      await cluster.heal();
      await untilWhole(bus);
    }
  }, 1_200_000);
  console.log(`longest plan around the death of the leader of: ${longest.join(", ")}`);
  expect(broken).toEqual([]);
});

it("continues the plans of a planner that is killed", async () => {
  const { system } = faulty;
  await system.start("planner");
  const longest: string[] = [];
  const broken = await faulty.during(async (signal) => {
    for (let round = 0; round < ROUNDS; round++) {
      await delay(2 * FLOW_MS);
      const probing = new AbortController();
      const probe = longestPlan(AbortSignal.any([signal, probing.signal]));
      await delay(FLOW_MS / 2);
      const running = system.processes("planner").filter((one) => one.isRunning());
      await running[0]?.kill();
      await delay(2 * FLOW_MS);
      probing.abort();
      longest.push(`${Math.round(await probe)} ms`);
      await system.start("planner");
    }
  });
  console.log(`longest plan around the death of a planner: ${longest.join(", ")}`);
  expect(broken).toEqual([]);
});

/** Runs short plans, several at a time, until the signal aborts; how long the longest took, in milliseconds. */
async function longestPlan(signal: AbortSignal): Promise<number> {
  const { client } = faulty.system;
  let longestMs = 0;
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const began = performance.now();
      const submitted = await client.submit(SHORT).catch(() => undefined);
      if (submitted !== undefined) await client.ended(submitted.planId).catch(() => undefined);
      longestMs = Math.max(longestMs, performance.now() - began);
      await delay(20);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  return longestMs;
}

const SHORT = {
  goal: "echo",
  plan: { steps: [{ id: "all", tool: "flow.echo", args: { value: "x" } }], answerFrom: "all" },
};
