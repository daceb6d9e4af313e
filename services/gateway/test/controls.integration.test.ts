// Pausing, resuming and delayed starts at the gateway: what is stored, answered and refused.
import { OWNER_TOOLS, PlanId } from "@planwright/plan";
import { readPlan, readPlanEvents } from "@planwright/shared/bus";
import { describe, expect, it } from "vitest";
import { connectSocket } from "./support/connect-socket.ts";
import { ended, fact, store, wholeRun } from "./support/facts.ts";
import { sharedGateway, TOOLS, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway({ tools: [...TOOLS, ...OWNER_TOOLS] });

async function ask(planId: string, what: "pause" | "resume", body: object = {}): Promise<[number, unknown]> {
  const response = await gateway.post(`/v1/plans/${planId}/${what}`, body);
  return [response.status, await response.json()];
}

async function types(planId: string): Promise<string[]> {
  const seen: string[] = [];
  for await (const { event } of readPlanEvents(system.bus, PlanId.parse(planId))) seen.push(event.type);
  return seen;
}

describe("pausing and resuming", () => {
  it("resolve when the plan's view shows it; pausing again stores nothing", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    expect(await ask(planId, "pause", { reason: "wait for Ada" })).toEqual([
      202,
      { planId, status: "paused" },
    ]);
    expect(await ask(planId, "pause", { reason: "again" })).toEqual([202, { planId, status: "paused" }]);
    expect(await (await gateway.get(`/v1/plans/${planId}`)).json()).toMatchObject({
      status: "paused",
      pause: { reason: "wait for Ada", by: "default" },
      seq: 2,
    });
    const list = await (await gateway.get("/v1/plans?status=paused")).json();
    expect(list).toMatchObject({ plans: [{ planId, status: "paused" }] });
    expect(await ask(planId, "resume")).toEqual([202, { planId, status: "running" }]);
    expect(await ask(planId, "resume")).toMatchObject([409, { code: "plan_not_paused" }]);
    expect(await types(planId)).toEqual(["goal.submitted", "pause.requested", "resume.requested"]);
  });

  it("happen once for simultaneous requests, and once per request in sequence", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    for (let round = 1; round <= 2; round++) {
      const paused = await Promise.all(Array.from({ length: 10 }, () => ask(planId, "pause")));
      expect(paused.map(([status]) => status)).toEqual(paused.map(() => 202));
      const resumed = await Promise.all(Array.from({ length: 10 }, () => ask(planId, "resume")));
      expect(resumed.every(([status]) => status === 202 || status === 409)).toBe(true);
      expect((await readPlan(system.bus, PlanId.parse(planId)))?.pauses).toBe(round);
    }
    expect(await types(planId)).toHaveLength(5);
  });

  it("apply to the sub-plans that run for the plan, except those that a user paused", async () => {
    const ids = ["a", "b", "c"];
    const steps = ids.map((id) => ({ id, tool: "plan.run", args: { goal: id } }));
    const { planId } = await gateway.submit({ goal: "parts", plan: { steps } });
    const children = await Promise.all(ids.map(async () => (await gateway.submit(TWO_STEPS)).planId));
    for (const [index, stepId] of ids.entries()) {
      const begun = { stepId, item: 0, attempt: 1, workerId: "planner", subPlan: children[index] };
      await store(system.bus, [fact(planId, "step.started", begun, `${planId}/${stepId}`)]);
    }
    const [, byHand = "", over = ""] = children;
    await ask(byHand, "pause", { reason: "by hand" });
    await store(system.bus, wholeRun(over, ["a", "b"]));
    const statuses = async () =>
      await Promise.all(
        [planId, ...children].map(async (id) => (await readPlan(system.bus, PlanId.parse(id)))?.status),
      );
    await expect
      .poll(async () => await (await gateway.get(`/v1/plans/${planId}`)).json())
      .toMatchObject({ seq: 4 });
    expect(await ask(planId, "pause")).toMatchObject([202, { status: "paused" }]);
    expect(await statuses()).toEqual(["paused", "paused", "paused", "succeeded"]);
    expect(await ask(planId, "resume")).toMatchObject([202, { status: "running" }]);
    expect(await statuses()).toEqual(["running", "running", "paused", "succeeded"]);
  });

  it("are refused when the plan has ended, or is about to", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(0, -2));
    expect(await ask(planId, "pause")).toMatchObject([409, { code: "plan_ended" }]);
    const other = await gateway.submit(TWO_STEPS);
    await gateway.post(`/v1/plans/${other.planId}/cancel`, {});
    await store(system.bus, [ended(other.planId, "cancelled")]);
    await expect.poll(() => ask(other.planId, "resume")).toMatchObject([409, { code: "plan_ended" }]);
    expect(await ask(other.planId, "pause")).toMatchObject([409, { code: "plan_ended" }]);
  });

  it("accept no other fields, and no unknown plan", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    expect(await ask(planId, "pause", { because: "x" })).toMatchObject([400, { code: "invalid_request" }]);
    expect(await ask(planId, "resume", { reason: "x" })).toMatchObject([400, { code: "invalid_request" }]);
    expect(await ask("nope", "pause")).toMatchObject([404, { code: "plan_not_found" }]);
    expect(await ask("nope", "resume")).toMatchObject([404, { code: "plan_not_found" }]);
  });

  it("work over the WebSocket", async () => {
    await using client = await connectSocket(gateway.url);
    const { planId } = await gateway.submit(TWO_STEPS);
    client.say({ id: 1, type: "pause", planId, reason: "r" });
    expect(await client.hear(({ id }) => id === 1)).toMatchObject({ type: "ok" });
    client.say({ id: 2, type: "resume", planId });
    expect(await client.hear(({ id }) => id === 2)).toMatchObject({ type: "ok" });
    client.say({ id: 3, type: "resume", planId });
    expect(await client.hear(({ id }) => id === 3)).toMatchObject({ type: "error", code: "plan_not_paused" });
  });

  it("cancelling ends a pause", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await ask(planId, "pause");
    expect((await gateway.post(`/v1/plans/${planId}/cancel`, {})).status).toBe(202);
    expect(await (await gateway.get(`/v1/plans/${planId}`)).json()).toMatchObject({ status: "cancelled" });
  });
});

describe("a delayed start", () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  it("is shown until it is due", async () => {
    const startAt = inMs(3_600_000);
    const { planId } = await gateway.submit({ ...TWO_STEPS, startAt });
    expect(await (await gateway.get(`/v1/plans/${planId}`)).json()).toMatchObject({
      status: "scheduled",
      startsAt: startAt,
      steps: [{ status: "waiting", waitingFor: "start" }, { status: "waiting" }],
    });
    expect((await gateway.post(`/v1/plans/${planId}/cancel`, {})).status).toBe(202);
  });

  it("can have a time zone, and can be in the past", async () => {
    const { planId } = await gateway.submit({ ...TWO_STEPS, startAt: "2024-01-01T12:00:00+02:00" });
    expect(await readPlan(system.bus, PlanId.parse(planId))).toMatchObject({
      status: "running",
      goal: { startAt: "2024-01-01T10:00:00.000Z" },
    });
  });

  it.each([inMs(400 * 86_400_000), "tomorrow", "2026-13-01T00:00:00Z", 5])(
    "is refused when it is %s",
    async (at) => {
      const response = await gateway.post("/v1/plans", { ...TWO_STEPS, startAt: at });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: "invalid_request",
        issues: [{ field: "startAt" }],
      });
    },
  );
});
