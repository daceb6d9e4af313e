// Every timer waits at the server: all services and nats-server die while it does, and it fires all the same.
import type { PlanView } from "@planwright/plan";
import { SERVICE_NAMES, startSystem, type TestSystem } from "@planwright/testkit";
import { expect, it } from "vitest";

const ENDED_WITHIN_MS = 90_000;
/** Long enough for everything to die and to come back while the timers wait. */
const DELAY_MS = 6_000;

const wait = (id: string, ms: number, more: object = {}) => ({
  id,
  tool: "flow.wait",
  args: { ms },
  ...more,
});
const write = (id: string, more: object = {}) => ({
  id,
  tool: "files.write",
  args: { path: `${id}.txt`, content: id },
  ...more,
});

const undoing = { tool: "flow.wait", args: { ms: 60_000 } };

async function statusOf(system: TestSystem, planId: string): Promise<PlanView["status"]> {
  return (await system.client.view(planId)).status;
}

it(
  "fires when everything has died meanwhile; a pause lasts, and what is cancelled after it is undone",
  async () => {
    await using system = await startSystem();
    const startAt = new Date(Date.now() + DELAY_MS).toISOString();
    const later = await system.client.submit({
      goal: "later",
      startAt,
      plan: { steps: [write("late")], answerFrom: "late" },
    });
    const retried = await system.client.submit({
      goal: "retry",
      plan: {
        steps: [wait("slow", 60_000, { timeoutMs: 50, retry: { maxAttempts: 2, backoffMs: DELAY_MS } })],
      },
    });
    const paused = await system.client.submit({
      goal: "pause me",
      plan: { steps: [wait("first", 500), write("next", { dependsOn: ["first"] })], answerFrom: "next" },
    });
    const undone = await system.client.submit({
      goal: "undo me",
      plan: {
        steps: [
          write("kept", { compensate: { ...undoing, timeoutMs: 50, retry: { maxAttempts: 1 } } }),
          write("draft", {
            compensate: {
              tool: "files.write",
              args: { path: "undone.txt", content: "{{draft.output.path}}" },
            },
          }),
          wait("long", 60_000, { dependsOn: ["kept", "draft"] }),
        ],
      },
    });
    const pause = await system.client.fetch(`/v1/plans/${paused.planId}/pause`, { method: "POST" });
    expect(pause.status).toBe(202);
    await expect
      .poll(async () => (await system.client.view(retried.planId)).steps[0]?.waitingFor, { timeout: 20_000 })
      .toBe("retry");
    expect(await statusOf(system, later.planId)).toBe("scheduled");

    await Promise.all(SERVICE_NAMES.map((name) => system.kill(name)));
    await system.nats.kill();
    await system.nats.restart();
    await system.startServices();

    expect(await system.client.ended(later.planId)).toMatchObject({ status: "succeeded" });
    await expect
      .poll(async () => (await system.client.view(retried.planId)).steps[0], { timeout: 30_000 })
      .toMatchObject({ status: "failed", attempt: 2, failedAttempts: [{ attempt: 1 }] });
    expect(await statusOf(system, paused.planId)).toBe("paused");
    const resume = await system.client.fetch(`/v1/plans/${paused.planId}/resume`, { method: "POST" });
    expect(resume.status).toBe(202);
    expect(await system.client.ended(paused.planId)).toMatchObject({ status: "succeeded" });

    await expect
      .poll(async () => (await system.client.view(undone.planId)).steps[2]?.status, { timeout: 20_000 })
      .toBe("running");
    const cancel = await system.client.fetch(`/v1/plans/${undone.planId}/cancel`, { method: "POST" });
    expect(cancel.status).toBe(202);
    const view = await system.client.ended(undone.planId);
    expect(view).toMatchObject({
      status: "cancelled",
      reason: expect.stringContaining("1 of 2 compensations failed: kept"),
      steps: [{ status: "succeeded" }, { status: "succeeded" }, { status: "cancelled" }],
    });
    expect(view.compensations.map(({ stepId, status }) => [stepId, status]).toSorted()).toEqual([
      ["draft", "succeeded"],
      ["kept", "failed"],
    ]);
  },
  ENDED_WITHIN_MS,
);
