/** Planners as separate processes over one log, a simulated worker, and plans of all partitions. */
import type { PlanId } from "@planwright/plan";
import { echo } from "@planwright/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { openLeaseTable } from "../../src/partitions/lease-table.ts";
import { startDispatchBench } from "./dispatch-bench.ts";

const STEPS = [
  echo("a", { value: 1 }),
  echo("b", { value: { $ref: "a.output" } }),
  echo("c", { value: 2 }),
  echo("d", { value: 3, dependsOn: ["b", "c"] }),
];

export async function startPlannerFleet() {
  const bench = await startDispatchBench();
  const leases = await openLeaseTable(await bench.connect());
  const runs: string[] = [];
  const planIds: PlanId[] = [];
  await bench.worker(async ({ planId, stepId }) => {
    runs.push(`${planId}/${stepId}`);
    await delay(20);
    return 1;
  });
  /** The number of partitions of each planner that owns any; partitions without a live owner are not counted. */
  const shares = async (): Promise<number[]> => {
    const { partitions, planners } = await leases.read();
    const owners = partitions.map(({ owner }) => owner).filter((owner) => planners.has(owner ?? ""));
    return Object.values(Object.groupBy(owners, (owner) => owner ?? "")).map((own) => own?.length ?? 0);
  };
  return {
    ...bench,
    shares,
    /** Submits some more plans across all partitions. */
    async submitSome(count = 24) {
      for (let number = 0; number < count; number++) {
        planIds.push(await bench.submit(`p${planIds.length}`, STEPS));
      }
    },
    async untilSome(ended: number) {
      await expect.poll(() => runs.length).toBeGreaterThanOrEqual(ended * STEPS.length);
    },
    /** Expects every plan to end, with one outcome for each step. */
    async expectAllRecordedOnce() {
      for (const planId of planIds) {
        expect((await bench.ended(planId)).status).toBe("succeeded");
        const types = await bench.types(planId);
        expect(types.toSorted()).toEqual(
          ["answer.given", "goal.submitted", "plan.ended", ...STEPS.map(() => "step.succeeded")].toSorted(),
        );
      }
    },
    /** Expects that no step was sent or run a second time; a nats-server that was killed may deliver again. */
    async expectAllSentOnce() {
      const wanted = planIds.flatMap((planId) => STEPS.map(({ id }) => `${planId}/${id}`));
      expect(runs.toSorted()).toEqual(wanted.toSorted());
      expect(await bench.workStored()).toBe(wanted.length);
    },
  };
}
