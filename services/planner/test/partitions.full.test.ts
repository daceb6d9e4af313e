// Failures other than their own that two planners with a shared log survive: those of the services they depend on.
import { BUCKETS, provision } from "@planwright/shared/bus";
import { expect, it } from "vitest";
import { startPlannerFleet } from "./support/planner-fleet.ts";

it("continues after nats-server was killed and restarted", async () => {
  await using t = await startPlannerFleet();
  await t.planner();
  await t.planner();
  await expect.poll(t.shares).toEqual([8, 8]);
  await t.submitSome();
  await t.untilSome(10);
  await t.nats.kill();
  await t.nats.restart();
  await t.submitSome();
  await expect.poll(t.shares).toEqual([8, 8]);
  await t.expectAllRecordedOnce();
});

it("rebuilds the leases and the index when their buckets were lost and are recreated, and forgets no open plan (OPEN-3)", async () => {
  await using t = await startPlannerFleet();
  const first = await t.planner();
  await t.planner();
  await expect.poll(t.shares).toEqual([8, 8]);
  await t.submitSome();
  for (const bucket of [BUCKETS.leases, BUCKETS.openPlans])
    await t.bus.manager.streams.delete(`KV_${bucket}`);
  await t.submitSome();
  // Services do not create streams.
  await provision(t.bus);
  await expect.poll(() => t.shares().catch(() => [])).toEqual([8, 8]);
  await first.kill();
  await t.submitSome();
  await t.expectAllRecordedOnce();
  await t.expectAllSentOnce();
});
