// A pause loses no step and doubles none, wherever its messages are. That it outlives everything: timers.slow.e2e.test.ts.
import type { PlanView } from "@planwright/plan";
import { type TestSystem, wait, write } from "@planwright/testkit";
import { expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem({ services: { executor: { EXECUTOR_CONCURRENCY: "1" } } });

async function ask(system: TestSystem, planId: string, what: "pause" | "resume" | "cancel"): Promise<void> {
  const response = await system.client.fetch(`/v1/plans/${planId}/${what}`, { method: "POST" });
  expect([what, response.status]).toEqual([what, 202]);
  await response.arrayBuffer();
}

async function until(system: TestSystem, planId: string, type: string): Promise<void> {
  for await (const { event } of system.client.events(planId)) if (event.type === type) return;
}

async function startsOf(system: TestSystem, planId: string, stepId: string): Promise<number> {
  let starts = 0;
  for await (const { event } of system.client.events(planId)) {
    if (event.type === "step.started" && event.data.stepId === stepId) starts += 1;
  }
  return starts;
}

const statuses = ({ steps }: PlanView): string[] => steps.map(({ id, status }) => `${id} ${status}`);

/** The only worker is busy until the returned function lets it go. */
async function keepBusy(system: TestSystem): Promise<() => Promise<void>> {
  const { planId } = await system.client.submit({ goal: "busy", plan: { steps: [wait("long", 60_000)] } });
  await until(system, planId, "step.started");
  return async () => {
    await ask(system, planId, "cancel");
    await system.client.ended(planId);
  };
}

it("runs steps once that were in the queue when their plan was paused, whenever it resumes (STEP-2)", async () => {
  const { system } = shared;
  const plan = {
    goal: "write",
    plan: { steps: [write("a"), write("b", { dependsOn: ["a"] })], answerFrom: "b" },
  };

  // The message from before the pause is still in the queue when the plan resumes.
  const release = await keepBusy(system);
  const early = await system.client.submit(plan);
  await ask(system, early.planId, "pause");
  await ask(system, early.planId, "resume");
  await release();
  expect((await system.client.ended(early.planId)).status).toBe("succeeded");
  expect(await startsOf(system, early.planId, "a")).toBe(1);

  // A worker takes the message while the plan is paused, and is refused.
  const releaseAgain = await keepBusy(system);
  const late = await system.client.submit(plan);
  await ask(system, late.planId, "pause");
  await releaseAgain();
  const other = await system.client.submit({ goal: "after it", plan: { steps: [write("x")] } });
  await system.client.ended(other.planId);
  expect(statuses(await system.client.view(late.planId))).toEqual(["a queued", "b waiting"]);
  await ask(system, late.planId, "resume");
  expect((await system.client.ended(late.planId)).status).toBe("succeeded");
  expect(await startsOf(system, late.planId, "a")).toBe(1);
});
