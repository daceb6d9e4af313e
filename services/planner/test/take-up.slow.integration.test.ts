// Taking over partitions: the open plans are restored completely, whatever has ended around them.
import { fnv1a32, PARTITIONS, PlanEvent, PlanId } from "@planwright/plan";
import { BUCKETS, ConflictError, decisionSubject, openBucket, STREAMS } from "@planwright/shared/bus";
import { echo } from "@planwright/testkit";
import { expect, it } from "vitest";
import { executeCommand } from "../src/dispatch/execute-command.ts";
import { openPlanIndex } from "../src/dispatch/open-plan-index.ts";
import { createPartitionFeed } from "../src/dispatch/partition-feed.ts";
import { createPlanTable, readOwnedPlan } from "../src/dispatch/plan-table.ts";
import { takeUp } from "../src/dispatch/take-up.ts";
import { dispatchDeps, log, startDispatchBench } from "./support/dispatch-bench.ts";

const ALL = new Set(Array.from({ length: PARTITIONS }, (_, partition) => partition));

it("reads one old open plan individually, instead of the log of all plans that ended since (OPEN-1)", async () => {
  await using t = await startDispatchBench();
  const gate = Promise.withResolvers<void>();
  using _opened = { [Symbol.dispose]: () => gate.resolve() };
  await t.worker(async ({ stepId }) => {
    if (stepId === "slow") await gate.promise;
    return 1;
  });
  const dispatcher = await t.dispatcher();
  const old = await t.submit("old", [
    echo("slow", { value: 1 }),
    echo("last", { value: { $ref: "slow.output" } }),
  ]);
  const ended = Array.from({ length: 200 }, (_, number) => `p${number}`);
  for (const id of ended) await t.submit(id, [echo("a", { value: 1 })]);
  for (const id of ended) await t.ended(PlanId.parse(id));
  const index = await openBucket(t.bus, BUCKETS.openPlans);
  const { state } = await t.bus.manager.streams.info(STREAMS.plans);
  const covered = async (): Promise<unknown> => JSON.parse((await index.get("covered.3"))?.value ?? "{}");
  await expect.poll(covered).toMatchObject({ sequence: state.last_seq });
  expect((await index.list(["open.>"])).map(({ key }) => key)).toEqual([
    `open.${fnv1a32("old") % PARTITIONS}.old`,
  ]);
  await dispatcher[Symbol.asyncDispose]();

  const table = createPlanTable();
  await using feed = createPartitionFeed(t.bus, {
    log,
    onEntry: (entry) => void table.fold(entry),
    onUnknown: (entry) => table.note(entry),
  });
  const deps = { bus: t.bus, index: await openPlanIndex(t.bus, { log }), table, feed };
  expect(await takeUp(deps, ALL)).toEqual({ readAlone: 1, from: state.last_seq + 1 });
  const [found, ...others] = [...table.open(ALL)];
  expect(others).toEqual([]);
  expect(found?.plan).toMatchObject({ planId: old, status: "running", seq: 1, inFlight: 1 });

  await using _next = await t.dispatcher();
  gate.resolve();
  expect((await t.ended(old)).status).toBe("succeeded");
  await expect.poll(() => index.list(["open.>"])).toEqual([]);
});

it("finds with one read that a plan of the index has ended, and removes it (OPEN-2)", async () => {
  await using t = await startDispatchBench();
  await t.worker(async () => 1);
  const first = await t.dispatcher();
  const planId = await t.submit("p1", [echo("a", { value: 1 })]);
  await t.ended(planId);
  await first[Symbol.asyncDispose]();
  const key = `open.${fnv1a32("p1") % PARTITIONS}.p1`;
  const index = await openBucket(t.bus, BUCKETS.openPlans);
  await index.write(key, "1");
  const before = await t.types(planId);
  await using _second = await t.dispatcher();
  await expect.poll(() => index.list(["open.>"])).toEqual([]);
  expect(await t.types(planId)).toEqual(before);
  expect(await t.workStored()).toBe(1);
});

it("ignores an index that belongs to another log", async () => {
  await using t = await startDispatchBench();
  const index = await openBucket(t.bus, BUCKETS.openPlans);
  for (const partition of ALL) {
    await index.write(`covered.${partition}`, JSON.stringify({ log: "of another time", sequence: 1_000 }));
  }
  await t.worker(async () => 1);
  const planId = await t.submit("p1", [echo("a", { value: 1 })]);
  await using _dispatcher = await t.dispatcher();
  expect((await t.ended(planId)).status).toBe("succeeded");
});

it("refuses an owner's decisions on an old state, and stores work that it sends again only once (DISPATCH-2, DISPATCH-3)", async () => {
  await using t = await startDispatchBench();
  const planId = await t.submit("p1", [echo("a", { value: 1 })]);
  const stale = await readOwnedPlan(t.bus, { planId, firstSequence: 1 });
  if (stale === undefined) throw new Error("wanted the plan");
  const at = new Date().toISOString();
  const ending = PlanEvent.parse({
    id: `${planId}/end`,
    type: "plan.ended",
    planId,
    at,
    data: { outcome: "cancelled", reason: "decided by another owner" },
  });
  await t.publish(decisionSubject(ending), ending, { id: ending.id });

  const deps = dispatchDeps(t.bus);
  const data = { stepIds: ["a"], because: "a", reason: "an old decision" };
  const event = { id: `${planId}/skip`, type: "step.skipped", planId, data } as const;
  await expect(
    executeCommand(deps, stale, { kind: "record", event: PlanEvent.parse({ ...event, at }) }),
  ).rejects.toThrow(ConflictError);
  expect(await t.types(planId)).toEqual(["goal.submitted", "plan.ended"]);

  const { trace } = stale.plan.goal;
  const draft = { kind: "draft", id: `${planId}/draft/1`, work: { planId, draft: 1, trace } } as const;
  await executeCommand(deps, stale, draft);
  await executeCommand(deps, stale, draft);
  expect(await t.workStored()).toBe(1);
});
