// Retention while a replica that it reads from is behind; with a real cluster of nats-servers.
import path from "node:path";
import { PlanEvent, PlanId } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  BUCKETS,
  type Bus,
  connectBus,
  createPublish,
  factSubject,
  provision,
  STREAMS,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import {
  addStaleReplica,
  finishedPlan,
  type NatsCluster,
  openPlanLog,
  startNatsCluster,
} from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openLeaseTable } from "../src/partitions/lease-table.ts";
import { createDeletions } from "../src/retention/create-deletions.ts";
import { readEnds } from "../src/retention/due-plans.ts";
import { erasePlan } from "../src/retention/erase-plan.ts";
import { findLeftovers, forgetPlans } from "../src/retention/create-archiver.ts";

/** When reading from any replica, every second read is stale. */
const READS = 20;
const TLS = path.join(import.meta.dirname, "../../../packages/shared/test/fixtures/tls");
const pem = (name: string): string => path.join(TLS, `${name}.pem`);
const log = createLogger({ name: "test", level: "silent" });

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

const depsOf = () => ({
  bus,
  publish: createPublish(bus),
  archives: createArchiveStore(bus),
  artifacts: createArtifactStore(bus),
  now: () => new Date(),
});

async function finish(id: string): Promise<PlanId> {
  const planLog = openPlanLog(bus);
  for (const event of finishedPlan(id)) await planLog.put(event);
  return PlanId.parse(id);
}

/** Stores a result that arrives after everything else of its plan. */
async function comeLate(planId: PlanId, attempt: number): Promise<{ event: PlanEvent; sequence: number }> {
  const at = "2026-01-01T00:00:00.000Z";
  const run = { stepId: "s1", item: 0, attempt, workerId: "slept", startedAt: at, durationMs: 1 };
  const id = `${planId}/s1/0/${attempt}/done`;
  const event = PlanEvent.parse({
    id,
    type: "step.succeeded",
    planId,
    at,
    data: { ...run, output: { value: "late" } },
  });
  const { sequence } = await createPublish(bus)(factSubject(event), event, { id });
  return { event, sequence };
}

const lastOf = async (): Promise<number> => (await bus.manager.streams.info(STREAMS.plans)).state.last_seq;

it("sees the partitions that it has claimed although a replica does not show them (LEASE-3)", async () => {
  const leases = await openLeaseTable(bus);
  await leases.give({ partition: 3, to: "me", revision: 0 });
  const renewal = await leases.renew("me");
  await using _replica = await addStaleReplica(bus, `KV_${BUCKETS.leases}`, "nothing");
  for (let reads = 0; reads < READS; reads++)
    expect((await leases.read(renewal)).partitions[3]?.owner).toBe("me");
});

it("finds plans that ended, and archived ones to delete, that a replica has not received yet", async () => {
  const deps = depsOf();
  const ended = await finish("ended");
  const ids: PlanId[] = [];
  for (let number = 0; number < READS; number++) {
    const planId = await finish(`old-${number}`);
    await archivePlan(deps, planId);
    ids.push(planId);
  }
  await using _log = await addStaleReplica(bus, STREAMS.plans, "nothing");
  await using _archive = await addStaleReplica(bus, STREAMS.archive, "nothing");
  for (let reads = 0; reads < READS; reads++) {
    expect((await readEnds(bus, 1)).map(({ planId }) => planId)).toEqual([ended]);
  }
  let forgotten = 0;
  for (;;) {
    const some = await forgetPlans(deps, new Date(Date.now() + 60_000));
    if (some === 0) break;
    forgotten += some;
  }
  expect(forgotten).toBe(ids.length);
});

it("finds late events of an archived plan although a replica does not show that it is archived", async () => {
  const planId = await finish("archived");
  await archivePlan(depsOf(), planId);
  const from = (await comeLate(planId, 2)).sequence;
  await using _replica = await addStaleReplica(bus, STREAMS.plans, "nothing");
  for (let reads = 0; reads < READS; reads++) {
    const { planIds } = await findLeftovers(bus, { from, before: (await lastOf()) + 1 });
    expect(planIds).toEqual([planId]);
  }
});

it("erases late events of a deleted plan although a replica does not show that it is deleted", async () => {
  const deps = depsOf();
  const planId = await finish("deleted");
  await erasePlan(deps, planId);
  await using _replica = await addStaleReplica(bus, STREAMS.plans, "nothing");
  const deletions = createDeletions({ ...deps, clock: () => performance.now(), owns: () => true, log });
  const left = async () =>
    (await bus.manager.streams.info(STREAMS.plans, { subjects_filter: `plan.*.${planId}.r.>` })).state
      .subjects;
  for (let attempt = 2; attempt < READS; attempt++) {
    const { event, sequence } = await comeLate(planId, attempt);
    deletions.heed({ event, sequence } as Parameters<typeof deletions.heed>[0], { isOpen: false });
    await expect.poll(() => deletions.doneTo(sequence)).toBe(sequence);
    expect(await left()).toBeUndefined();
  }
  await deletions.stop();
});
