// Every timer waits at the server: all services and nats-server die while it does, and it fires all the same.
import { PlanEvent, type PlanView } from "@planwright/plan";
import { connectBus, STREAMS } from "@planwright/shared/bus";
import { openPlanLog, SERVICE_NAMES, type TestSystem, wait, write } from "@planwright/testkit";
import { beforeAll, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

/** Long enough for all timers to be set, and for everything to die, while they wait. */
const DELAY_MS = 8_000;

const shared = sharedSystem({ alone: SERVICE_NAMES });
let system: TestSystem;
beforeAll(() => {
  system = shared.system;
});

async function submit(steps: readonly { readonly id: string }[], more: object = {}): Promise<string> {
  const plan = { steps, answerFrom: steps.at(-1)?.id };
  return (await system.client.submit({ goal: "wait", plan, ...more })).planId;
}

async function ask(planId: string, what: "pause" | "resume" | "cancel"): Promise<void> {
  const response = await system.client.fetch(`/v1/plans/${planId}/${what}`, { method: "POST" });
  expect([what, response.status]).toEqual([what, 202]);
  await response.arrayBuffer();
}

async function stepOf(planId: string, index = 0): Promise<PlanView["steps"][number] | undefined> {
  return (await system.client.view(planId)).steps[index];
}

/** A worker begins the step and is never heard of again. */
async function beginAndVanish(planId: string, stepId: string): Promise<void> {
  await using bus = await connectBus({ url: system.nats.url, name: "vanishing worker" });
  const at = new Date().toISOString();
  const data = { stepId, item: 0, attempt: 1, workerId: "vanished", delivery: 1 };
  const id = `${planId}/${stepId}/0/1/started/vanished/1`;
  await openPlanLog(bus).put(PlanEvent.parse({ id, type: "step.started", planId, at, data }));
}

/** The timers that wait at the server, each after the id of its plan. */
async function timersThatWait(): Promise<string[]> {
  await using bus = await connectBus({ url: system.nats.url, name: "test" });
  const { state } = await bus.manager.streams.info(STREAMS.plans, { subjects_filter: "timer.>" });
  return Object.keys(state.subjects ?? {}).map((subject) => subject.split(".").slice(2).join("."));
}

async function killEverything(): Promise<void> {
  await Promise.all(SERVICE_NAMES.map((name) => system.kill(name)));
  await system.nats.kill();
  await system.nats.restart();
  await system.startServices();
}

it("fires every timer that waited while everything died, and a pause lasts", async () => {
  const soon = () => new Date(Date.now() + DELAY_MS).toISOString();
  const paused = await submit([wait("first", 5_000), write("next", { dependsOn: ["first"] })]);
  await expect.poll(async () => (await stepOf(paused))?.status).toBe("running");
  await ask(paused, "pause");
  const once = { maxAttempts: 1 };
  const lost = await submit([write("lost", { agent: "nobody", timeoutMs: 50, retry: once })]);
  await beginAndVanish(lost, "lost");
  const retry = { maxAttempts: 2, backoffMs: DELAY_MS };
  const retried = await submit([wait("slow", 60_000, { timeoutMs: 50, retry })]);
  const later = await submit([write("late")], { startAt: soon() });
  const send = { id: "send", tool: "http.send", args: { url: "http://127.0.0.1:9/", body: 1 } };
  const expiring = await submit([send], { approval: { expiresAfterMs: DELAY_MS } });
  const set = [`${lost}.deadline-1`, `${retried}.retry-slow-0-2`, `${later}.start`];
  await expect
    .poll(timersThatWait)
    .toEqual(expect.arrayContaining([...set, `${expiring}.approval-risk-send-0`]));

  await killEverything();

  expect(await system.client.ended(later)).toMatchObject({ status: "succeeded" });
  await expect
    .poll(() => stepOf(expiring))
    .toMatchObject({ status: "failed", error: { code: "approval_rejected" } });
  const expired = await system.client.view(expiring);
  expect(expired.approvals[0]).toMatchObject({ status: "expired", decidedBy: "timer" });
  const approval = await system.client.fetch(`/v1/plans/${expiring}/approvals/risk-send-0`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approve" }),
  });
  expect(approval.status).toBe(409);
  await expect
    .poll(() => stepOf(retried))
    .toMatchObject({ status: "failed", attempt: 2, failedAttempts: [{ attempt: 1 }] });

  // What ran may end; nothing else began.
  await expect.poll(async () => (await stepOf(paused))?.status).toBe("succeeded");
  expect(await system.client.view(paused)).toMatchObject({
    status: "paused",
    steps: [{}, { status: "waiting" }],
  });
  await ask(paused, "resume");
  expect(await system.client.ended(paused)).toMatchObject({ status: "succeeded" });

  // Later than the others by what another worker has to take over.
  await expect
    .poll(() => stepOf(lost))
    .toMatchObject({ status: "failed", error: { code: "deadline_exceeded" } });
});

it("undoes the effects of a cancelled plan, and reports what could not be undone", async () => {
  const stuck = { tool: "flow.wait", args: { ms: 60_000 }, timeoutMs: 50, retry: { maxAttempts: 1 } };
  const path = "{{draft.output.path}}.undone";
  const undone = await submit([
    write("kept", { compensate: stuck }),
    write("draft", { compensate: { tool: "files.write", args: { path, content: "" } } }),
    wait("long", 60_000, { dependsOn: ["kept", "draft"] }),
  ]);
  await expect.poll(async () => (await stepOf(undone, 2))?.status).toBe("running");
  await ask(undone, "cancel");
  const view = await system.client.ended(undone);
  expect(view).toMatchObject({
    status: "cancelled",
    reason: expect.stringContaining("1 of 2 compensations failed: kept"),
    steps: [{ status: "succeeded" }, { status: "succeeded" }, { status: "cancelled" }],
  });
  expect(Object.fromEntries(view.compensations.map(({ stepId, status }) => [stepId, status]))).toEqual({
    draft: "succeeded",
    kept: "failed",
  });
});
