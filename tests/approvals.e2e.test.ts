// Steps that wait for people while everything around them dies.
import type { ApprovalView } from "@planwright/plan";
import { type EffectCounter, startEffectCounter, startSystem, type TestSystem } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";

let effects: EffectCounter;
let system: TestSystem;
beforeAll(async () => {
  effects = await startEffectCounter();
  system = await startSystem({ env: { HTTP_FETCH_ALLOW: effects.host } });
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await effects[Symbol.asyncDispose]();
});

const send = (id: string, body: unknown) => ({
  id,
  tool: "http.send",
  args: { url: effects.url("plain"), body },
});

async function pending(planId: string, count: number): Promise<ApprovalView[]> {
  const open = async (): Promise<ApprovalView[]> =>
    (await system.client.view(planId)).approvals.filter(({ status }) => status === "pending");
  await expect.poll(async () => (await open()).length).toBe(count);
  return open();
}

async function decide(planId: string, approvalId: string, body: object): Promise<number> {
  const response = await system.client.fetch(`/v1/plans/${planId}/approvals/${approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

it("lets two branches wait at once, and runs what was approved while nothing was there to run it", async () => {
  const echo = { id: "join", tool: "flow.echo", args: { value: "{{first.output.status}}" } };
  const free = { id: "free", tool: "flow.echo", args: { value: 1 } };
  const { planId } = await system.client.submit({
    goal: "send twice",
    plan: { steps: [send("first", { n: 1 }), send("second", { n: 2 }), free, echo], answerFrom: "join" },
  });
  const [first, second] = await pending(planId, 2);
  expect([first?.args, second?.args]).toEqual([send("", { n: 1 }).args, send("", { n: 2 }).args]);
  await expect.poll(async () => (await system.client.view(planId)).status).toBe("awaiting-approval");
  expect(effects.requests).toEqual([]);

  await Promise.all([system.kill("planner"), system.kill("executor")]);
  const edits = { url: effects.url("plain"), body: { n: "edited" } };
  expect(await decide(planId, "risk-first-0", { decision: "approve", edits, by: "ann" })).toBe(200);
  expect(await decide(planId, "risk-second-0", { decision: "reject", by: "ann" })).toBe(200);
  expect(await decide(planId, "risk-first-0", { decision: "reject" })).toBe(409);
  await Promise.all([system.start("planner"), system.start("executor")]);

  const view = await system.client.ended(planId);
  expect(view.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "first succeeded",
    "second failed",
    "free succeeded",
    "join succeeded",
  ]);
  expect(effects.counts()).toEqual(new Map([[`${planId}/first/0/0`, 1]]));
  const checked = await fetch(effects.url("check"), {
    headers: { "idempotency-key": `${planId}/first/0/0` },
  });
  expect(await checked.json()).toEqual({ sent: JSON.stringify(edits.body) });
});
