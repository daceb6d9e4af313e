import path from "node:path";
import type { ClusterInfo } from "@nats-io/jetstream";
import { ALL_STREAMS, type Bus, STREAMS } from "@planwright/shared/bus";
import { type NatsCluster, startNatsCluster } from "@planwright/testkit";
import { expect } from "vitest";

const TLS = path.join(import.meta.dirname, "../../packages/shared/test/fixtures/tls");
const SERVERS = 3;
const pem = (name: string): string => path.join(TLS, `${name}.pem`);

/** Three servers with the certificate of the tests. */
export function startLoopbackCluster(): Promise<NatsCluster> {
  return startNatsCluster({ ca: pem("ca"), cert: pem("server"), key: pem("server-key") });
}

/** Kills the server that leads a stream. */
export async function killLeader(cluster: NatsCluster, stream: string): Promise<void> {
  await expect.poll(() => cluster.leaderOf(stream), { timeout: 30_000 }).toBeDefined();
  await (await cluster.leaderOf(stream))?.kill();
}

/** Every stream has a leader again. */
export async function untilLed(cluster: NatsCluster): Promise<void> {
  const led = () =>
    Promise.all(ALL_STREAMS.map(async ({ name }) => (await cluster.leaderOf(name)) !== undefined));
  await expect.poll(led, { timeout: 60_000 }).toEqual(ALL_STREAMS.map(() => true));
}

/** Every stream and queue has a leader, and its copies are up to date. */
export async function untilWhole(bus: Bus): Promise<void> {
  const incomplete = async () => [...(await streamsOf(bus)), ...(await queuesOf(bus))].filter(isIncomplete);
  await expect.poll(incomplete, { timeout: 60_000 }).toEqual([]);
}

type Group = { readonly name: string; readonly upToDate: number };

const isIncomplete = ({ upToDate }: Group): boolean => upToDate < SERVERS;

/** How many up-to-date copies there are of each stream. */
async function streamsOf({ manager }: Bus): Promise<Group[]> {
  return Promise.all(
    ALL_STREAMS.map(async ({ name }) => {
      const info = await manager.streams.info(name).catch(() => undefined);
      return { name, upToDate: upToDateIn(info?.cluster) };
    }),
  );
}

/** The same of each queue. */
async function queuesOf({ manager }: Bus): Promise<Group[]> {
  const names = ["planner", "reflector", "processor", "pool-default"];
  return Promise.all(
    names.map(async (name) => {
      const info = await manager.consumers.info(STREAMS.work, name).catch(() => undefined);
      return { name, upToDate: upToDateIn(info?.cluster) };
    }),
  );
}

function upToDateIn(cluster: ClusterInfo | undefined): number {
  if (cluster?.leader === undefined) return 0;
  const followers = cluster.replicas ?? [];
  return 1 + followers.filter(({ current, offline }) => current && offline !== true).length;
}
