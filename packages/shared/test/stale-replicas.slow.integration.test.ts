// Reads while a replica answers that lags behind, in a real cluster of nats-servers.
import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { PlanId } from "@planwright/plan";
import { type ArtifactStore, createArtifactStore } from "@planwright/shared/artifacts";
import { type Bus, connectBus, OBJECT_BUCKET, provision, STREAMS } from "@planwright/shared/bus";
import { addStaleReplica, type NatsCluster, startNatsCluster } from "@planwright/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

/** Every second read that any replica can answer is stale. */
const READS = 20;
const LARGE = randomBytes(1024 * 1024);
const pem = (name: string): string => path.join(import.meta.dirname, "fixtures/tls", `${name}.pem`);

let cluster: NatsCluster;
let bus: Bus;
let artifacts: ArtifactStore;
beforeAll(async () => {
  cluster = await startNatsCluster({ ca: pem("ca"), cert: pem("server"), key: pem("server-key") });
  bus = await connectBus({ ...cluster.access, name: "test" });
  await provision(bus);
  artifacts = createArtifactStore(bus);
});
afterAll(async () => {
  await bus?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

const newPlan = (): PlanId => PlanId.parse(randomUUID());
const storedIn = async (stream: string): Promise<number> =>
  (await bus.manager.streams.info(stream)).state.messages;

afterEach(async () => {
  for (const stream of [STREAMS.artifacts, `OBJ_${OBJECT_BUCKET}`]) await bus.manager.streams.purge(stream);
});

it("lists the artifacts of a plan that a replica has not received yet", async () => {
  const planId = newPlan();
  await artifacts.put(planId, "a", Buffer.from("a"), "text/plain");
  await artifacts.put(planId, "b", Buffer.from("b"), "text/plain");
  await using _replica = await addStaleReplica(bus, STREAMS.artifacts, "nothing");
  for (let reads = 0; reads < READS; reads++) {
    expect((await artifacts.list(planId)).map(({ name }) => name)).toEqual(["a", "b"]);
  }
});

it("removes a large content even if a replica still shows the artifact that had it", async () => {
  const planId = newPlan();
  await artifacts.put(planId, "large", LARGE, "application/octet-stream");
  await using _replica = await addStaleReplica(bus, STREAMS.artifacts, "deleted");
  await artifacts.remove(planId, "large");
  for (let reads = 0; reads < READS; reads++) {
    const name = `large-${reads}`;
    await artifacts.put(planId, name, LARGE, "application/octet-stream");
    await artifacts.remove(planId, name);
    expect(await artifacts.get(planId, name)).toBeUndefined();
    expect(await storedIn(`OBJ_${OBJECT_BUCKET}`)).toBe(0);
  }
});

it("keeps a large content while another artifact has it that a replica does not show yet", async () => {
  const planId = newPlan();
  await artifacts.put(planId, "kept", LARGE, "application/octet-stream");
  await using _replica = await addStaleReplica(bus, STREAMS.artifacts, "nothing");
  for (let reads = 0; reads < READS; reads++) {
    await artifacts.put(planId, "copy", LARGE, "application/octet-stream");
    await artifacts.remove(planId, "copy");
    expect((await artifacts.get(planId, "kept"))?.bytes).toBe(LARGE.byteLength);
  }
});
