// What a gateway shows while a replica that it reads from is behind; with a real cluster of nats-servers.
import path from "node:path";
import {
  type Bus,
  connectBus,
  createPublish,
  deadLetterSubject,
  provision,
  STREAMS,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { addStaleReplica, type NatsCluster, startNatsCluster } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAuditLog } from "../src/audit/audit-log.ts";
import { createDeadLetterStore } from "../src/dead-letters/dead-letter-store.ts";

/** When reading from any replica, every second read is stale. */
const READS = 20;
const TLS = path.join(import.meta.dirname, "../../../packages/shared/test/fixtures/tls");
const pem = (name: string): string => path.join(TLS, `${name}.pem`);

let cluster: NatsCluster;
let bus: Bus;
beforeAll(async () => {
  cluster = await startNatsCluster({ ca: pem("ca"), cert: pem("server"), key: pem("server-key") });
  bus = await connectBus({ ...cluster.access, name: "test" });
  await provision(bus);
});
afterAll(async () => {
  await bus?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

it("lists dead letters that a replica has not received yet", async () => {
  const publish = createPublish(bus);
  for (const id of ["a", "b"])
    await publish(deadLetterSubject(`work.plan.${id}`), { cause: id, deliveries: 5 }, { id });
  await using _replica = await addStaleReplica(bus, STREAMS.dead, "nothing");
  const store = createDeadLetterStore(bus, (cause) => cause);
  for (let reads = 0; reads < READS; reads++)
    expect((await store.all()).map(({ cause }) => cause)).toEqual(["a", "b"]);
});

it("reads and continues an audit log that a replica has not received yet", async () => {
  const log = createLogger({ name: "test", level: "silent" });
  const action = { tenant: "acme", by: "acme/ann", role: "admin", action: "listKeys", via: "http" } as const;
  const append = async (number: number): Promise<void> => {
    // Another gateway, which has not read the log.
    await using auditLog = openAuditLog({ bus, publish: createPublish(bus), log });
    const at = new Date(number).toISOString();
    await auditLog.append({ ...action, at, on: {}, from: "::1", outcome: "done" });
  };
  await append(1);
  await using _replica = await addStaleReplica(bus, STREAMS.audit, "nothing");
  await using auditLog = openAuditLog({ bus, publish: createPublish(bus), log });
  for (let number = 2; number <= READS; number++) {
    await append(number);
    expect(await Array.fromAsync(auditLog.read("acme", 0))).toHaveLength(number);
  }
});
