// Services die before and after what they publish only in rare situations, each brought about for it.
import { type PlanEvent, PlanId } from "@planwright/plan";
import { type Bus, connectBus, readPlanEvents } from "@planwright/shared/bus";
import {
  brokenPromises,
  type EffectCounter,
  type ServiceProcess,
  startEffectCounter,
  startSystem,
  type TestSystem,
  wait,
} from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { pointsOf } from "../support/fault-point-groups.ts";

const Letters = z.object({ deadLetters: z.array(z.looseObject({ id: z.string(), planId: z.string() })) });

let effects: EffectCounter;
let system: TestSystem;
let bus: Bus;
beforeAll(async () => {
  effects = await startEffectCounter();
  system = await startSystem({ env: { HTTP_FETCH_ALLOW: effects.host } });
  bus = await connectBus({ url: system.nats.url, name: "test" });
});
afterAll(async () => {
  await bus[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
  await effects[Symbol.asyncDispose]();
});

const deadly = (point: string) => ({ PLANWRIGHT_FAULTS: `${point}=kill` });

async function expectDeath(doomed: ServiceProcess): Promise<void> {
  expect(await doomed.ended).toBe("SIGKILL");
}

async function post(path: string, body: object = {}): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await system.client.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

/** The plan's facts of one type, once its log was found to break no promise. */
async function factsOf(planId: PlanId, type: PlanEvent["type"]): Promise<PlanEvent[]> {
  const stored = await Array.fromAsync(readPlanEvents(bus, planId));
  expect(brokenPromises({ planId, stored })).toEqual([]);
  return stored.map(({ event }) => event).filter((event) => event.type === type);
}

it.each(pointsOf("interruption"))(
  "asks a user once, and takes effect once, when a worker dies at %s",
  async (point) => {
    const pool = point.replace(".", "-");
    const doomed = await system.start("executor", { EXECUTOR_POOLS: pool, ...deadly(point) });
    const held = effects.hold("after");
    const act = { id: "act", tool: "http.send", agent: pool, args: { url: effects.url("plain") } };
    const { planId } = await system.client.submit({
      goal: "act once",
      plan: { steps: [act], answerFrom: "act" },
      approval: { risk: "never" },
    });
    await held.reached;
    held.release({ drop: true });
    await expectDeath(doomed);
    await system.start("executor", { EXECUTOR_POOLS: pool });
    await expect.poll(async () => (await system.client.view(planId)).approvals.length).toBe(1);
    const [approval] = (await system.client.view(planId)).approvals;
    expect(
      await post(`/v1/plans/${planId}/approvals/${approval?.approvalId}`, { decision: "happened" }),
    ).toBe(200);
    expect((await system.client.ended(planId)).status).toBe("succeeded");
    expect(await factsOf(PlanId.parse(planId), "step.interrupted")).toHaveLength(1);
    expect(effects.count(`${planId}/act/0/0`)).toBe(1);
  },
);

it.each(pointsOf("redrive"))("redrives a step once when the gateway dies at %s", async (point) => {
  const plan = { steps: [wait("again", 600_000), wait("other", 600_000)] };
  const { planId } = await system.client.submit({ goal: "redrive me", plan });
  const step = async () => (await system.client.view(planId)).steps[0];
  await expect.poll(step).toMatchObject({ status: "running" });
  // Unreadable work, in the place of the step's own.
  await bus.js.publish(`work.step.default.${planId}.again.0.1.1`, "{ no work at all");
  await expect.poll(step).toMatchObject({ status: "failed" });
  const { deadLetters } = Letters.parse(await (await system.client.fetch("/v1/dead-letters")).json());
  const letter = deadLetters.find((one) => one.planId === planId);
  const path = `/v1/dead-letters/${letter?.id ?? "none"}/retry`;

  await system.kill("gateway");
  const doomed = await system.start("gateway", deadly(point));
  await expect(post(path)).rejects.toThrow();
  await expectDeath(doomed);
  await system.start("gateway");
  expect([202, 409]).toContain(await post(path));
  await expect.poll(step).toMatchObject({ status: "running", attempt: 2 });
  expect(await post(`/v1/plans/${planId}/cancel`)).toBe(202);
  await system.client.ended(planId);
  expect(await factsOf(PlanId.parse(planId), "redrive.requested")).toHaveLength(1);
});

it.each(pointsOf("model-failure"))(
  "ends a plan with the cause when a worker dies at %s, while its model server is down",
  async (point) => {
    const pool = point.replace(".", "-");
    const doomed = await system.start("executor", { EXECUTOR_POOLS: pool, ...deadly(point) });
    const steps = [{ id: "write", tool: "model.write", agent: pool, args: { prompt: "a poem" } }];
    const { planId } = await system.client.submit({ goal: "a poem", plan: { steps } });
    await expectDeath(doomed);
    await system.start("executor", { EXECUTOR_POOLS: pool, MODEL_PATIENCE_MS: "500" });
    const view = await system.client.ended(planId);
    expect(view).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("the model server does not answer"),
    });
    expect(await factsOf(PlanId.parse(planId), "step.failed")).toHaveLength(1);
  },
);
