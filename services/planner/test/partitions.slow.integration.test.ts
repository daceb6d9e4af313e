// Planners as separate processes share the partitions of one log. Whatever happens to them, every plan ends once, and the work of
// every step is sent and recorded once.
import { expect, it } from "vitest";
import { startPlannerFleet } from "./support/planner-fleet.ts";

it("shares the partitions with a planner that joins, and hands over immediately when it stops (LEASE-2, LEASE-4)", async () => {
  await using t = await startPlannerFleet();
  const first = await t.planner();
  expect(await t.shares()).toEqual([16]);
  await t.submitSome();
  await t.planner();
  await expect.poll(t.shares).toEqual([8, 8]);
  await t.submitSome();
  await t.untilSome(10);
  expect(await first.stop()).toBe(0);
  expect(await t.shares()).toEqual([16]);
  await t.submitSome();
  await t.expectAllRecordedOnce();
  await t.expectAllSentOnce();
});

it("takes over from a planner that is frozen, which does no harm when it resumes, and from one that is killed", async () => {
  await using t = await startPlannerFleet();
  const first = await t.planner();
  const second = await t.planner();
  await expect.poll(t.shares).toEqual([8, 8]);
  await t.submitSome();
  await t.untilSome(10);
  first.process.kill("SIGSTOP");
  await expect.poll(t.shares).toEqual([16]);
  await t.submitSome();
  first.process.kill("SIGCONT");
  await t.submitSome();
  await expect.poll(t.shares).toEqual([8, 8]);
  await t.submitSome();
  await second.kill();
  await expect.poll(t.shares).toEqual([16]);
  // A planner that starts after a crash checks those it finds, without waiting for a lease to expire.
  await first.kill();
  await t.planner();
  expect(await t.shares()).toEqual([16]);
  await t.submitSome();
  await t.expectAllRecordedOnce();
  await t.expectAllSentOnce();
});
