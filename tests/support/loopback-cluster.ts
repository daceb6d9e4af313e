import path from "node:path";
import { ALL_STREAMS, type Bus } from "@planwright/shared/bus";
import { type NatsCluster, startNatsCluster } from "@planwright/testkit";
import { expect } from "vitest";

const TLS = path.join(import.meta.dirname, "../../packages/shared/test/fixtures/tls");
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

/** Every stream has a leader, and its copies are up to date. */
export async function untilWhole(bus: Bus): Promise<void> {
  await expect.poll(() => replicas(bus), { timeout: 60_000 }).toEqual(everyStream(3));
}

const everyStream = (count: number) => Object.fromEntries(ALL_STREAMS.map(({ name }) => [name, count]));

/** How many up-to-date copies there are of each stream. */
async function replicas({ manager }: Bus): Promise<Record<string, number>> {
  const copies = ALL_STREAMS.map(async ({ name }) => {
    const info = await manager.streams.info(name).catch(() => undefined);
    const followers =
      info?.cluster?.replicas?.filter(({ current, offline }) => current && offline !== true) ?? [];
    return [name, info?.cluster?.leader === undefined ? 0 : 1 + followers.length] as const;
  });
  return Object.fromEntries(await Promise.all(copies));
}
