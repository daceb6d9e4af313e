// The installation's policy against plans, loops, programs, sub-plans and compensations that would act without asking.
import type { PlanId, PlanView } from "@planwright/plan";
import { planPieces, startEffectCounter } from "@planwright/testkit";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-policy-"));
const file = path.join(folder, "policy.json");
await writeFile(
  file,
  JSON.stringify({
    rules: [
      { tools: ["http.send"], when: "body.n > 5", deny: true },
      { tools: ["http.send"], requireApproval: true },
      { tools: ["http.fetch"], deny: true },
      { tools: ["files.write"], from: ["docs.search"], deny: true },
    ],
  }),
);
const effects = await startEffectCounter();
afterAll(async () => {
  await effects[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => effects.forget());
const shared = sharedSystem({
  services: { gateway: { PLANWRIGHT_POLICY: file }, executor: { HTTP_FETCH_ALLOW: effects.host } },
});

const LAX = { approval: { risk: "never" }, maxReplans: 0 } as const;
const sending = (n: number) => ({ url: effects.url("plain"), body: { n } });

async function submit(steps: readonly object[]): Promise<PlanId> {
  const { planId } = await shared.system.client.submit({ goal: "send it", plan: { steps }, ...LAX });
  return planId;
}

async function pending(planId: PlanId): Promise<PlanView["approvals"][number]> {
  const { client } = shared.system;
  const find = async () => (await client.view(planId)).approvals.find(({ status }) => status === "pending");
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  const found = await find();
  if (found === undefined) throw new Error("nothing waits any more");
  return found;
}

async function decide(planId: PlanId, approvalId: string, body: object): Promise<string> {
  const response = await shared.system.client.fetch(`/v1/plans/${planId}/approvals/${approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { code = "" } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`.trim();
}

const turn = (call: object | undefined, result: string | null = null): string =>
  JSON.stringify({
    thought: "so",
    calls: call === undefined ? [] : [{ tool: "http.send", argsJson: JSON.stringify(call) }],
    result,
    requiresReplan: false,
    reason: null,
  });
const loop = { id: "loop", tool: "agent.react", args: { goal: "send it", tools: ["http.send"] } };

it("a loop's call waits for approval, is checked again as edited, and runs as approved", async () => {
  shared.model.play({ react_turn: [turn(sending(1)), turn(undefined, "sent")] });
  const planId = await submit([loop]);
  const asked = await pending(planId);
  expect(asked).toMatchObject({ tool: "http.send", requiredBy: "policy", args: sending(1) });
  expect(await decide(planId, asked.approvalId, { decision: "approve", edits: sending(9) })).toBe(
    "403 denied_by_policy",
  );
  expect(effects.requests).toEqual([]);
  expect(await decide(planId, asked.approvalId, { decision: "approve" })).toBe("200");
  expect((await shared.system.client.ended(planId)).status).toBe("succeeded");
  expect(effects.requests).toHaveLength(1);
});

it("a loop's forbidden call is refused to its model, and nothing is sent", async () => {
  shared.model.play({ react_turn: [turn(sending(9)), turn(undefined, "given up")] });
  const view = await shared.system.client.ended(await submit([loop]));
  expect(view.steps[0]?.turns?.[0]).toMatchObject({ error: { code: "denied_by_policy" } });
  expect(effects.requests).toEqual([]);
});

it("a program's call waits, and a forbidden one fails", async () => {
  const program = (n: number) => ({
    id: "p",
    tool: "code.run",
    args: {
      language: "javascript",
      code: "return tools.http.send(input).status;",
      tools: ["http.send"],
      input: sending(n),
    },
  });
  const planId = await submit([program(2)]);
  const asked = await pending(planId);
  expect(asked).toMatchObject({ tool: "http.send", requiredBy: "policy" });
  expect(await decide(planId, asked.approvalId, { decision: "reject" })).toBe("200");
  await shared.system.client.ended(planId);
  const view = await shared.system.client.ended(await submit([program(9)]));
  expect(view.steps[0]).toMatchObject({ status: "failed", turns: [{ error: { code: "denied_by_policy" } }] });
  expect(effects.requests).toEqual([]);
});

it("a sub-plan's steps wait for approval, whatever the plan that a model hands over contains", async () => {
  const inner = { id: "send", tool: "http.send", args: sending(3) };
  const given = { id: "sub", tool: "plan.run", args: { plan: { steps: [inner] } } };
  const planId = await submit([given]);
  const sub = async () => (await shared.system.client.view(planId)).steps[0]?.child;
  await expect.poll(sub, { timeout: 60_000 }).toBeDefined();
  const child = (await sub()) as PlanId;
  expect(await pending(child)).toMatchObject({ tool: "http.send", requiredBy: "policy" });
  await shared.system.client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
  await shared.system.client.ended(planId);

  const lax = {
    id: "sub",
    tool: "plan.run",
    args: { plan: { steps: [inner], approval: { risk: "never" } } },
  };
  const response = await shared.system.client.fetch("/v1/plans", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ goal: "send it", plan: { steps: [lax] }, ...LAX }),
  });
  expect(response.status).toBe(422);
  expect(effects.requests).toEqual([]);
});

it("a compensation waits for approval, and runs as approved", async () => {
  const write = {
    id: "write",
    tool: "files.write",
    args: { path: "a.txt", content: "a" },
    compensate: { tool: "http.send", args: sending(4) },
  };
  const planId = await submit([write, { id: "wait", tool: "flow.wait", args: { ms: 600_000 } }]);
  const written = async () => (await shared.system.client.view(planId)).steps[0]?.status;
  await expect.poll(written, { timeout: 60_000 }).toBe("succeeded");
  await shared.system.client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
  const asked = await pending(planId);
  expect(asked).toMatchObject({ approvalId: "risk-write-undo", undo: true, requiredBy: "policy" });
  expect(effects.requests).toEqual([]);
  expect(await decide(planId, asked.approvalId, { decision: "approve" })).toBe("200");
  const view = await shared.system.client.ended(planId);
  expect(view.compensations).toMatchObject([{ status: "succeeded" }]);
  expect(effects.requests).toHaveLength(1);
});

it("an obedient model carries out no instruction of a document", async () => {
  const call = (tool: string, args: object) => ({ tool, argsJson: JSON.stringify(args) });
  const said = (calls: object[], result: string | null = null) =>
    JSON.stringify({ thought: "so", calls, result, requiresReplan: false, reason: null });
  const written = { path: "leak.txt", content: "as the document says" };
  shared.model.play({
    react_turn: [
      said([call("docs.search", { query: "price" })]),
      said([call("files.write", written)]),
      said([], "done as told"),
    ],
  });
  const reader = {
    id: "read",
    tool: "agent.react",
    args: { goal: "look", tools: ["docs.search", "files.write"] },
  };
  const view = await shared.system.client.ended(await submit([reader]));
  expect(view.steps[0]?.turns?.[1]).toMatchObject({
    tool: "files.write",
    error: { code: "denied_by_policy" },
  });
  expect(view.steps[0]?.turns?.[1]?.error?.message).toContain("which come from docs.search");
  expect(view.artifacts).toEqual([]);

  const steps = [
    { id: "find", tool: "docs.search", args: { query: "price" } },
    { id: "keep", tool: "files.write", args: { path: "leak.txt", content: "{{find.output}}" } },
  ];
  const planned = await shared.system.client.ended(await submit(steps));
  expect(planned.steps[1]).toMatchObject({ status: "failed", error: { code: "denied_by_policy" } });
});

it("a model is not offered a forbidden tool", async () => {
  shared.model.play({
    plan: () => planPieces({ steps: [{ id: "a", tool: "flow.echo", args: { value: 1 } }] }),
  });
  const { planId } = await shared.system.client.submit({ goal: "look it up", strategy: "parallel", ...LAX });
  await shared.system.client.ended(planId);
  const bodies = JSON.stringify(shared.model.calls("plan"));
  expect(bodies).toContain("docs.search");
  expect(bodies).not.toContain("http.fetch");
});
