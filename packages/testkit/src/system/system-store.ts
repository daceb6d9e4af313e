/** A system's data on its NATS server, prepared and cleaned up between tests. */
import type { NatsAccess } from "@planwright/shared/access";
import { BUCKETS, connectBus, openBucket, provision, type Replicas } from "@planwright/shared/bus";
import { DataSource } from "@planwright/shared/tools";

/** Removes executors' announcements: tools, data sources and agent types that the next executor may not have. */
export async function forgetAnnouncements(access: NatsAccess): Promise<void> {
  await using bus = await connectBus({ ...access, name: "testkit" });
  for (const name of [BUCKETS.tools, BUCKETS.sources, BUCKETS.agents, BUCKETS.mcpPins]) {
    const bucket = await openBucket(bus, name);
    for (const { key, value } of await bucket.latest()) {
      if (value === undefined) continue;
      // The gateway's announcements are kept, because it makes them only when it starts.
      if (name !== BUCKETS.sources || !isOfGateway(value)) await bucket.remove(key);
    }
  }
}

/** The names of the data sources announced by the gateway: those in its folder, and uploads. */
export async function gatewaySources(access: NatsAccess): Promise<string[]> {
  await using bus = await connectBus({ ...access, name: "testkit" });
  const entries = await (await openBucket(bus, BUCKETS.sources)).latest();
  return entries.filter(({ value }) => value !== undefined && isOfGateway(value)).map(({ key }) => key);
}

/** Removes uploaded data, except for `kept`. */
export async function forgetUploads(access: NatsAccess, kept: ReadonlySet<string>): Promise<void> {
  const uploaded = (await gatewaySources(access)).filter((name) => !kept.has(name));
  if (uploaded.length === 0) return;
  await using bus = await connectBus({ ...access, name: "testkit" });
  const bucket = await openBucket(bus, BUCKETS.sources);
  for (const name of uploaded) await bucket.remove(name);
}

function isOfGateway(source: string): boolean {
  return DataSource.parse(JSON.parse(source)).local === undefined;
}

/** Creates everything that the services need. */
export async function provisionAll(access: NatsAccess, replicas: Replicas | undefined): Promise<void> {
  await using bus = await connectBus({ ...access, name: "testkit" });
  await provision(bus, { replicas });
}

/** Empties streams: a long log would slow down every later start of a planner. */
export async function purge(access: NatsAccess, streams: readonly string[]): Promise<void> {
  await using bus = await connectBus({ ...access, name: "testkit" });
  for (const stream of streams) await bus.manager.streams.purge(stream);
}
