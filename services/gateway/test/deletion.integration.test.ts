// Deleted plans: gone for every reader, on every gateway, from the response on. The test plays the planner.
import { PlanEvent, PlanId } from "@planwright/plan";
import { createPublish, factSubject, planSubjects, STREAMS, submissionSubject } from "@planwright/shared/bus";
import { openPlanLog } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectSocket } from "./support/connect-socket.ts";
import { fact, store, wholeRun } from "./support/facts.ts";
import { readEvents } from "./support/read-events.ts";
import { startSystem, type TestGateway, type TestSystem, TWO_STEPS } from "./support/start-gateway.ts";

const KEYS = { PLANWRIGHT_API_KEYS: "ada:key-a,bob:key-b" };
const ADA = { authorization: "Bearer key-a" };
const BOB = { authorization: "Bearer key-b" };

let system: TestSystem;
let gateway: TestGateway;
/** Another replica. */
let other: TestGateway;

beforeAll(async () => {
  system = await startSystem();
  gateway = await system.gateway({ env: KEYS });
  other = await system.gateway({ env: KEYS, folder: "other" });
});
afterAll(async () => {
  for (const part of [other, gateway, system]) await part?.[Symbol.asyncDispose]();
});

async function finished(body: object = TWO_STEPS, headers: Record<string, string> = {}): Promise<string> {
  const { planId } = await gateway.submit(body, { ...ADA, ...headers });
  await store(system.bus, wholeRun(planId, ["a", "b"]));
  await readEvents(await gateway.get(`/v1/plans/${planId}/events`, ADA));
  return planId;
}

/** Erases a plan as a planner does; resolves once there was a request. */
async function erase(id: string): Promise<void> {
  const planId = PlanId.parse(id);
  const types = async () => (await openPlanLog(system.bus).events(planId)).map(({ type }) => type);
  await expect.poll(types).toContain("delete.requested");
  const event = PlanEvent.parse({ ...fact(id, "plan.deleted", { tenant: "ada" }), id: `${id}/deleted` });
  const { sequence } = await createPublish(system.bus)(submissionSubject(planId), event, { id: event.id });
  await system.bus.manager.streams.purge(STREAMS.plans, { filter: planSubjects(planId), seq: sequence });
}

const remove = (planId: string, headers: Record<string, string> = ADA, at = gateway) =>
  at.delete(`/v1/plans/${planId}`, headers);

async function refusal(response: Response): Promise<unknown> {
  return [response.status, ((await response.json()) as { code: string }).code];
}

it("refuses a plan that has not ended, and explains what to do", async () => {
  const { planId } = await gateway.submit(TWO_STEPS, ADA);
  const response = await remove(planId);
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({
    code: "plan_not_ended",
    detail: "the plan is running and has not ended: cancel it first",
  });
});

it("reveals nothing to another tenant, neither before nor after", async () => {
  const planId = await finished();
  const unknown = "0000000000000000000000";
  const told = async (id: string) => (await (await remove(id, BOB)).text()).replaceAll(id, "ID");
  expect(await told(planId)).toBe(await told(unknown));
  expect(await refusal(await remove(unknown))).toEqual([404, "plan_not_found"]);
  expect(await refusal(await remove("no.id"))).toEqual([404, "plan_not_found"]);
  const [response] = await Promise.all([remove(planId), erase(planId)]);
  expect(response.status).toBe(204);
  expect(await told(planId)).toBe(await told(unknown));
});

it("hides the plan on every gateway before it is erased, ends its watchers, and responds with 204 when it is gone", async () => {
  const goal = "zebra inventory";
  const key = { "idempotency-key": "delete-me" };
  const planId = await finished({ ...TWO_STEPS, goal }, key);
  const listed = async (from: TestGateway, query = "") =>
    JSON.stringify(await (await from.get(`/v1/plans?limit=200${query}`, ADA)).json()).includes(planId);
  const counted = async (): Promise<unknown> =>
    (await gateway.get(`/v1/plans/counts?of=${encodeURIComponent("q=zebra")}`, ADA)).json();
  expect([await listed(gateway), await listed(other, "&q=zebra")]).toEqual([true, true]);
  await using socket = await connectSocket(gateway.url, { headers: ADA });

  const asked = remove(planId);
  const paths = ["", "/events", "/trace", "/artifacts", "/continuity.md", "/submission", "?seq=2"];
  for (const from of [gateway, other]) {
    await expect.poll(async () => (await from.get(`/v1/plans/${planId}`, ADA)).status).toBe(404);
    const statuses = await Promise.all(
      paths.map(async (path) => (await from.get(`/v1/plans/${planId}${path}`, ADA)).status),
    );
    expect(statuses).toEqual(paths.map(() => 404));
    expect([await listed(from), await listed(from, "&q=zebra")]).toEqual([false, false]);
  }
  socket.say({ id: 1, type: "watch", planId });
  expect(await socket.hear(({ type }) => type === "error")).toMatchObject({ code: "plan_not_found" });
  await erase(planId);
  expect((await asked).status).toBe(204);
  expect(await counted()).toEqual({ counts: [{ count: 0, more: false }] });

  // Again, on a gateway that has never seen the plan.
  await using fresh = await system.gateway({ env: KEYS, folder: "fresh" });
  for (const from of [gateway, other, fresh]) {
    expect((await remove(planId, ADA, from)).status).toBe(204);
    expect(await refusal(await from.post("/v1/plans", { ...TWO_STEPS, goal }, { ...ADA, ...key }))).toEqual([
      410,
      "plan_deleted",
    ]);
    expect(await listed(from)).toBe(false);
  }
  const late = fact(planId, "feedback.given", { number: 1, rating: 5, by: "ada" });
  await store(system.bus, [late]);
  expect((await gateway.get(`/v1/plans/${planId}`, ADA)).status).toBe(404);
});

it("keeps the plan hidden and its key taken when a gateway restarts before the plan is erased", async () => {
  const key = { "idempotency-key": "half-way" };
  const planId = await finished(TWO_STEPS, key);
  const data = { by: "ada", trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false } };
  await store(system.bus, [fact(planId, "delete.requested", data)]);
  await using again = await system.gateway({ env: KEYS, folder: "again" });
  expect((await again.get(`/v1/plans/${planId}`, ADA)).status).toBe(404);
  expect(await refusal(await again.post("/v1/plans", TWO_STEPS, { ...ADA, ...key }))).toEqual([
    410,
    "plan_deleted",
  ]);
  const [response] = await Promise.all([remove(planId, ADA, again), erase(planId)]);
  expect(response.status).toBe(204);
});

it("deletes neither a sub-plan alone nor a plan whose sub-plan is running", async () => {
  const planId = await finished();
  const child = `${planId.slice(0, 18)}-sub`;
  const [goal] = await openPlanLog(system.bus).events(PlanId.parse(planId));
  const parent = { planId, stepId: "a", item: 0, attempt: 1, depth: 1 };
  const submitted = PlanEvent.parse({
    ...goal,
    id: `${child}/goal.submitted`,
    planId: child,
    data: { ...goal?.data, parent },
  });
  await createPublish(system.bus)(factSubject(submitted), submitted, { id: submitted.id });
  await expect.poll(async () => (await gateway.get(`/v1/plans/${child}`, ADA)).status).toBe(200);
  expect(await refusal(await remove(child))).toEqual([409, "plan_is_sub_plan"]);
  const response = await remove(planId);
  expect(await response.json()).toMatchObject({
    code: "plan_not_ended",
    detail: `its sub-plan ${child} has not ended: cancel it first`,
  });
});

it("keeps a plan that compensates the deleted one, and reports the deletion in it", async () => {
  const planId = await finished();
  const undo = `${planId.slice(0, 18)}-undo`;
  const [goal] = await openPlanLog(system.bus).events(PlanId.parse(planId));
  const undoes = { planId, stepId: "a", attempt: 1 };
  const submitted = PlanEvent.parse({
    ...goal,
    id: `${undo}/goal.submitted`,
    planId: undo,
    data: { ...goal?.data, undoes },
  });
  await createPublish(system.bus)(factSubject(submitted), submitted, { id: submitted.id });
  const shown = async () =>
    ((await (await gateway.get(`/v1/plans/${undo}`, ADA)).json()) as { undoes?: unknown }).undoes;
  await expect.poll(shown).toEqual(undoes);
  await Promise.all([remove(planId), erase(planId)]);
  expect(await shown()).toEqual({ ...undoes, deleted: true });
});
