// Examples in which people decide, and in which nothing may happen twice.
import { argumentsHash, PlanId, type PlanView } from "@planwright/plan";
import { connectBus, provision, readPlan, readPlanMessages } from "@planwright/shared/bus";
import {
  loadExample,
  startEffectCounter,
  startExampleServer,
  startNats,
  startServiceProcess,
} from "@planwright/testkit";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "../support/shared-system.ts";

const effects = await startEffectCounter();
afterAll(() => effects[Symbol.asyncDispose]());
const company = await startExampleServer("employee-onboarding");
afterAll(() => company[Symbol.asyncDispose]());
const outside = { ...company.env, HTTP_FETCH_ALLOW: `${effects.host},${company.env["HTTP_FETCH_ALLOW"]}` };
const shared = sharedSystem({ alone: ["planner", "executor", "gateway"], services: { executor: outside } });

/** The request of an example, with its effects at the test's own target. */
async function play(name: string) {
  const text = JSON.stringify((await loadExample(name)).request);
  const own = text.replaceAll(/http:\/\/127\.0\.0\.1:8099\/(?:machines|messages)/g, effects.url("plain"));
  return JSON.parse(own.replaceAll("http://127.0.0.1:8099/check", effects.url("check"))) as Record<
    string,
    unknown
  > & {
    plan: { steps: { id: string; args: object }[] };
  };
}

async function waiting(planId: string, ids: readonly string[]): Promise<void> {
  const pending = async (): Promise<string[]> =>
    (await shared.system.client.view(planId)).approvals.flatMap(({ approvalId, status }) =>
      status === "pending" ? [approvalId] : [],
    );
  await expect.poll(pending, { timeout: 30_000 }).toHaveLength(ids.length);
  expect(new Set(await pending())).toEqual(new Set(ids));
}

async function decide(planId: string, approvalId: string, body: object): Promise<number> {
  const response = await shared.system.client.fetch(`/v1/plans/${planId}/approvals/${approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ by: "ann", ...body }),
  });
  await response.arrayBuffer();
  return response.status;
}

function statuses({ steps }: PlanView): Record<string, string> {
  return Object.fromEntries(steps.map(({ id, status }) => [id, status]));
}

it("human-in-the-loop: four gates, and the decisions are carried out", async () => {
  const request = await play("human-in-the-loop");
  const { client } = shared.system;
  const { planId } = await client.submit(request);
  await waiting(planId, ["plan-0"]);
  expect(new Set(Object.values(statuses(await client.view(planId))))).toEqual(new Set(["waiting"]));
  const steps = request.plan.steps.filter(({ id }) => id !== "survey");
  const added = { id: "thank", tool: "flow.echo", args: { value: "thanks" } };
  const edits = { steps: [...steps, added], answerFrom: "note" };
  expect(await decide(planId, "plan-0", { decision: "approve", edits })).toBe(200);

  await waiting(planId, ["risk-tell-ann-0", "risk-tell-bob-0", "confidence-close-0"]);
  // What risks little or can be undone has not waited; medium risk is in the ledger.
  expect(statuses(await client.view(planId))).toMatchObject({
    look: "succeeded",
    note: "succeeded",
    thank: "succeeded",
  });
  const edited = { url: effects.url("plain"), body: { to: "ann", text: "as you like" } };
  expect(await decide(planId, "risk-tell-ann-0", { decision: "approve", edits: edited })).toBe(200);
  expect(await decide(planId, "risk-tell-ann-0", { decision: "reject" })).toBe(409);
  expect(await decide(planId, "risk-tell-bob-0", { decision: "reject", reason: "not him" })).toBe(200);
  expect(await decide(planId, "confidence-close-0", { decision: "approve" })).toBe(200);

  // Three of three steps have been sent, and two more were approved: each gate is asked for by itself.
  await waiting(planId, ["budget-1"]);
  expect(effects.counts().size).toBe(0);
  const { approvals } = await client.view(planId);
  const asked = approvals.find(({ approvalId }) => approvalId === "risk-tell-ann-0");
  expect(asked?.argsHash).toBe(argumentsHash({ url: effects.url("plain"), body: { to: "ann" } }));
  expect(await decide(planId, "budget-1", { decision: "approve", edits: { steps: 2 } })).toBe(200);

  const view = await client.ended(planId);
  expect(view.budget).toMatchObject({ limit: { steps: 5 }, used: { steps: 5 } });
  expect(statuses(view)).toMatchObject({
    "tell-ann": "succeeded",
    "tell-bob": "failed",
    survey: "cancelled",
  });
  expect(view.steps.find(({ id }) => id === "tell-bob")?.error?.message).toBe("rejected by ann: not him");
  expect(view.steps.find(({ id }) => id === "survey")?.reason).toBe("removed by ann");
  expect(view.effects.map(({ stepId, status }) => `${stepId} ${status}`)).toEqual([
    "note done",
    "tell-ann done",
  ]);
  const key = `${planId}/tell-ann/0/0`;
  const sent = await fetch(effects.url("check"), { headers: { "idempotency-key": key } });
  expect(await sent.json()).toEqual({ sent: JSON.stringify(edited.body) });
});

it("human-in-the-loop: medium-risk steps are rolled back when the plan is cancelled", async () => {
  const { client } = shared.system;
  const { planId } = await client.submit(await play("human-in-the-loop"));
  await waiting(planId, ["plan-0"]);
  expect(await decide(planId, "plan-0", { decision: "approve" })).toBe(200);
  await waiting(planId, ["risk-tell-ann-0", "risk-tell-bob-0", "confidence-close-0"]);
  await (await client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" })).arrayBuffer();
  const view = await client.ended(planId);
  expect(view.compensations).toMatchObject([{ stepId: "note", status: "succeeded" }]);
  const file = await client.fetch(`/v1/plans/${planId}/artifacts/files/case.md`);
  expect(await file.text()).toBe("withdrawn");
  expect(await decide(planId, "risk-tell-ann-0", { decision: "approve" })).toBe(409);
});

it("employee-onboarding: ten effects, none of them twice, whichever process dies, and none when the stream is replayed", async () => {
  const { system } = shared;
  const { client } = system;
  await system.end("executor");
  // Dead after its third effect, which only the company knows of.
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "effect.after-run=kill@3" });
  const { planId } = await client.submit(company.request);
  await waiting(planId, ["risk-account-0", "risk-equipment-0"]);
  // What needs no account has not waited for it.
  await expect
    .poll(() => client.view(planId).then(statuses))
    .toMatchObject({ buddy: "succeeded", meetings: "succeeded" });
  expect(await decide(planId, "risk-account-0", { decision: "approve" })).toBe(200);
  expect(await doomed.ended).toBe("SIGKILL");
  await Promise.all([system.start("executor"), system.kill("planner"), system.kill("gateway")]);
  await Promise.all([system.start("planner"), system.start("gateway")]);
  expect(await decide(planId, "risk-equipment-0", { decision: "approve" })).toBe(200);
  await waiting(planId, ["risk-credentials-0"]);
  const calls = await companyCalls();
  expect(calls.filter(({ system: name }) => name === "accounts")).toHaveLength(1);
  expect(calls.some(({ system: name }) => name === "mail")).toBe(false);
  // The next one replays the whole stream.
  await Promise.all([system.kill("executor"), system.kill("planner")]);
  expect(await decide(planId, "risk-credentials-0", { decision: "approve" })).toBe(200);
  await Promise.all([system.start("executor"), system.start("planner")]);
  const view = await client.ended(planId);
  expect(view).toMatchObject({
    status: "succeeded",
    answer: { text: expect.stringContaining("is on board") },
  });
  expect(view.effects.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "done"));
  const own = await companyCalls();
  const systems = own.map(({ system: name }) => name);
  expect(systems.toSorted((left, right) => left.localeCompare(right))).toEqual(COMPANY_SYSTEMS);
  expect(new Set(own.map(({ key }) => key)).size).toBe(10);
  expect(systems.indexOf("accounts")).toBeLessThan(systems.indexOf("mail"));

  const replayed = await replay(PlanId.parse(planId));
  expect(replayed.status).toBe("succeeded");
  expect(replayed.ledger).toHaveLength(10);
  expect(await companyCalls()).toEqual(own);
});

/** In alphabetical order. */
const COMPANY_SYSTEMS = [
  "accounts",
  "calendar",
  "chat",
  "code",
  "issues",
  "lists",
  "mail",
  "orders",
  "packets",
  "people",
];

/** What the company's systems have been asked to do, in order: their own count. */
async function companyCalls() {
  const Calls = z.array(z.object({ system: z.string(), key: z.string() }));
  return Calls.parse(await (await fetch(new URL("/calls", company.url))).json());
}

/** Another system reads the plan's whole stream but its end, and has to come to that end by itself. */
async function replay(planId: PlanId) {
  await using nats = await startNats();
  await using from = await connectBus({ url: shared.system.nats.url, name: "test" });
  await using to = await connectBus({ url: nats.url, name: "test" });
  await provision(to);
  for await (const { subject, data } of readPlanMessages(from, planId)) {
    if (subject.endsWith(".w.default.done.0.1.done")) break;
    await to.js.publish(subject, data);
  }
  const env = { ...outside, NATS_URL: nats.url };
  const starting = (["planner", "executor"] as const).map((name) => startServiceProcess(name, env));
  await using _planner = await starting[0];
  await using _executor = await starting[1];
  await expect.poll(async () => (await readPlan(to, planId))?.endedAt).toBeDefined();
  const plan = await readPlan(to, planId);
  if (plan === undefined) throw new Error("the plan is gone");
  const ledger = [...plan.steps.values()].flatMap(({ effects: records }) => records);
  return { status: plan.status, ledger };
}

it("deploy-microservice: the machine is created once, although its worker dies right after", async () => {
  const { system } = shared;
  await system.end("executor");
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "effect.after-run=kill" });
  const { planId } = await system.client.submit(await play("deploy-microservice"));
  expect(await doomed.ended).toBe("SIGKILL");
  expect(effects.counts().get(`${planId}/create-vm/0/0`)).toBe(1);
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { text: "orders is deployed and watched" } });
  expect(effects.counts().get(`${planId}/create-vm/0/0`)).toBe(1);
  const ends = Object.fromEntries(view.steps.map(({ id, endedAt }) => [id, endedAt ?? ""]));
  const startOf = (id: string): string => view.steps.find((step) => step.id === id)?.startedAt ?? "";
  expect(startOf("deploy") >= (ends["install"] ?? "")).toBe(true);
  expect(startOf("deploy") >= (ends["network"] ?? "")).toBe(true);
});
