// Submission over HTTP: what is stored, what is refused, and how repeats are answered.
import { PlanId } from "@planwright/plan";
import { readPlan, readPlanEvents } from "@planwright/shared/bus";
import { echo } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { sharedGateway, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const firstEvent = async (planId: string) => {
  for await (const { event } of readPlanEvents(system.bus, PlanId.parse(planId))) return event;
  return undefined;
};

describe("a submission", () => {
  it("gets a response with its location once the log has stored it", async () => {
    const response = await gateway.post("/v1/plans", { goal: "Say hello", metadata: { team: "x" } });
    expect(response.status).toBe(202);
    const { planId, traceId } = (await response.json()) as { planId: string; traceId: string };
    expect(response.headers.get("location")).toBe(`/v1/plans/${planId}`);
    expect(await firstEvent(planId)).toMatchObject({
      type: "goal.submitted",
      data: {
        goal: "Say hello",
        tenant: "default",
        strategy: "auto",
        metadata: { team: "x" },
        trace: { traceId },
      },
    });
    const view = await gateway.get(`/v1/plans/${planId}`);
    expect(await view.json()).toMatchObject({ planId, traceId, status: "planning", seq: 1 });
  });

  it("with a plan carries the grants of its tools", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const plan = await readPlan(system.bus, PlanId.parse(planId));
    expect(plan?.goal.grants).toEqual({
      "flow.echo": { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 },
    });
    expect(plan?.status).toBe("running");
  });

  it("of the direct strategy becomes a single call that answers", async () => {
    const { planId } = await gateway.submit({ goal: "Say {{hello}}", strategy: "direct" });
    expect((await firstEvent(planId))?.data).toMatchObject({
      plan: { steps: [{ tool: "model.write", args: { prompt: "Say { {hello}}" } }], answerFrom: "answer" },
      grants: { "model.write": { pool: "default" } },
    });
  });

  it("of the sequential strategy runs its steps one after another", async () => {
    const steps = ["a", "b", "c"].map((id) => echo(id));
    const { planId } = await gateway.submit({ goal: "in a row", strategy: "sequential", plan: { steps } });
    expect((await firstEvent(planId))?.data).toMatchObject({
      plan: { steps: [{ dependsOn: [] }, { dependsOn: ["a"] }, { dependsOn: ["b"] }] },
    });
  });

  it("is parsed as JSON whatever content type curl sends", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await gateway.post("/v1/plans", { goal: "from curl" }, headers)).status).toBe(202);
  });

  it("continues the caller's trace", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    expect(await gateway.submit({ goal: "traced" }, { traceparent })).toMatchObject({ traceId });
  });
});

describe("an idempotency key", () => {
  const key = (name: string) => ({ "idempotency-key": name });

  it("gets the first response again for the same body, however it is formatted", async () => {
    const first = await gateway.submit({ goal: "once", metadata: { a: 1, b: 2 } }, key("k1"));
    const before = await system.stored();
    expect(await gateway.submit({ goal: "once", metadata: { a: 1, b: 2 } }, key("k1"))).toEqual(first);
    expect(await gateway.submit('{ "metadata": {"b":2,"a":1},\n"goal":"once"}', key("k1"))).toEqual(first);
    expect(await system.stored()).toBe(before);
  });

  it("is refused with another body, even an invalid one", async () => {
    await gateway.submit({ goal: "one" }, key("k2"));
    for (const body of [{ goal: "two" }, { goal: "" }]) {
      const response = await gateway.post("/v1/plans", body, key("k2"));
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ code: "idempotency_key_reused" });
    }
  });

  it("stores one plan when two gateways receive simultaneous requests", async () => {
    await using other = await system.gateway({ folder: "other" });
    const before = await system.stored();
    const asked = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? gateway : other).submit({ goal: "race" }, key("k3")),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await system.stored()).toBe(before + 1);
    const refused = await other.post("/v1/plans", { goal: "another" }, key("k3"));
    expect(refused.status).toBe(422);
  });
});
