// A plan can be cancelled at any moment of its life: it ends as cancelled, and nothing continues in the background.
import type { PlanView } from "@planwright/plan";
import { echo, judgementText, planPieces, type SeenEvent, wait } from "@planwright/testkit";
import { expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

// A worker that has one step in hand leaves the others in the queue.
const shared = sharedSystem({ services: { executor: { EXECUTOR_CONCURRENCY: "1" } } });

async function cancel(planId: string): Promise<number> {
  const response = await shared.system.client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
  await response.arrayBuffer();
  return response.status;
}

const statuses = ({ steps }: PlanView): string[] => steps.map(({ id, status }) => `${id} ${status}`);

/** Reads on until an event fits, and answers it. */
async function until(
  planId: string,
  fits: (event: SeenEvent["event"]) => boolean,
): Promise<SeenEvent["event"] | undefined> {
  for await (const { event } of shared.system.client.events(planId)) if (fits(event)) return event;
  return undefined;
}

it("cancels steps that no worker has taken yet, and they never run", async () => {
  const busy = await shared.system.client.submit({ goal: "busy", plan: { steps: [wait("long", 60_000)] } });
  await until(busy.planId, ({ type }) => type === "step.started");
  const queued = await shared.system.client.submit({
    goal: "queued",
    plan: {
      steps: [echo("a", { value: 1 }), echo("b", { value: 2 }), echo("c", { value: 3, dependsOn: ["a"] })],
      answerFrom: "c",
    },
  });
  await expect
    .poll(async () => (await shared.system.client.view(queued.planId)).steps.map(({ status }) => status))
    .toEqual(["queued", "queued", "waiting"]);
  expect(await cancel(queued.planId)).toBe(202);
  const view = await shared.system.client.ended(queued.planId);
  expect(view).toMatchObject({ status: "cancelled", outcome: "cancelled" });
  expect(statuses(view)).toEqual(["a cancelled", "b cancelled", "c cancelled"]);
  // The only worker is free again as soon as the other plan is cancelled too, and has nothing left to do.
  expect(await cancel(busy.planId)).toBe(202);
  await shared.system.client.ended(busy.planId);
  const after = await shared.system.client.submit({
    goal: "after",
    plan: { steps: [echo("x", { value: 1 })], answerFrom: "x" },
  });
  expect((await shared.system.client.ended(after.planId)).status).toBe("succeeded");
  expect((await shared.system.client.view(queued.planId)).seq).toBe(view.seq);
});

it("cancels a plan that is being written: its running steps stop, and the model is left alone", async () => {
  let left = false;
  shared.model.play({
    plan: (call) => {
      call.signal.addEventListener("abort", () => {
        left = true;
      });
      return planPieces(
        { steps: [{ id: "first", tool: "flow.wait", args: { ms: 60_000 } }, echo("never", { value: 1 })] },
        (id) => (id === "never" ? call.hold("rest") : undefined),
      );
    },
  });
  const { planId } = await shared.system.client.submit({ goal: "two things", strategy: "parallel" });
  await until(planId, ({ type }) => type === "step.started");
  expect(await cancel(planId)).toBe(202);
  const view = await shared.system.client.ended(planId);
  expect(view).toMatchObject({ status: "cancelled", outcome: "cancelled" });
  expect(statuses(view)).toEqual(["first cancelled"]);
  // The connection to the model is closed: an unneeded reply costs nothing more.
  await expect.poll(() => left).toBe(true);
  expect(shared.model.count("plan")).toBe(1);
  expect(shared.model.count("judgement")).toBe(0);
});

it("cancels a plan whose results are being reviewed, and keeps the results", async () => {
  let left = false;
  shared.model.play({
    judgement: async (call) => {
      call.signal.addEventListener("abort", () => {
        left = true;
      });
      await call.hold("verdict");
      return judgementText({ text: "too late" });
    },
  });
  const { planId } = await shared.system.client.submit({
    goal: "judge me",
    plan: { steps: [echo("a", { value: "A" }), echo("b", { value: "B" })] },
  });
  await shared.model.reached("verdict");
  expect((await shared.system.client.view(planId)).status).toBe("reflecting");
  expect(await cancel(planId)).toBe(202);
  const view = await shared.system.client.ended(planId);
  expect(view).toMatchObject({ status: "cancelled", outcome: "cancelled" });
  expect(statuses(view)).toEqual(["a succeeded", "b succeeded"]);
  expect(view.answer?.text ?? "").not.toContain("too late");
  await expect.poll(() => left).toBe(true);
  shared.model.release("verdict");
  expect(await cancel(planId)).toBe(409);
  expect((await shared.system.client.view(planId)).seq).toBe(view.seq);
});

it("cancels a plan that waits for its next attempt", async () => {
  const failing = {
    id: "failing",
    tool: "flow.wait",
    args: { ms: 5_000 },
    timeoutMs: 50,
    retry: { maxAttempts: 5, backoffMs: 600_000 },
  };
  const { planId } = await shared.system.client.submit({ goal: "retry", plan: { steps: [failing] } });
  await until(planId, ({ type }) => type === "step.failed");
  await expect.poll(async () => (await shared.system.client.view(planId)).steps[0]?.waitingFor).toBe("retry");
  expect(await cancel(planId)).toBe(202);
  expect(await shared.system.client.ended(planId)).toMatchObject({
    status: "cancelled",
    steps: [{ status: "cancelled", attempt: 1 }],
  });
});

it("ends a plan once, as cancelled, for several simultaneous requests", async () => {
  const { planId } = await shared.system.client.submit({
    goal: "once",
    plan: { steps: [wait("long", 60_000)] },
  });
  const asked = await Promise.all(Array.from({ length: 20 }, () => cancel(planId)));
  // Requests after the end get that answer.
  expect(asked.every((status) => status === 202 || status === 409)).toBe(true);
  expect(asked).toContain(202);
  await shared.system.client.ended(planId);
  const events: string[] = [];
  for await (const { event } of shared.system.client.events(planId)) events.push(event.type);
  expect(events.filter((type) => type === "cancel.requested")).toHaveLength(1);
  expect(events.filter((type) => type === "plan.ended")).toHaveLength(1);
  expect(events.at(-1)).toBe("plan.ended");
});
