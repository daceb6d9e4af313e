// Plans that left the log: clients must not notice, whichever gateway they use and whenever it started.
import { PlanId } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { type Bus, createPublish, readPlanMessages } from "@planwright/shared/bus";
import { openPlanLog } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { connectSocket } from "./support/connect-socket.ts";
import { started, store, succeeded, wholeRun } from "./support/facts.ts";
import { contents, readEvents, seqs } from "./support/read-events.ts";
import { sharedGateway, type TestGateway, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

/** @param purge - How the plan's messages leave the log; the default way when absent. */
async function archive(planId: string, purge?: Bus["manager"]["streams"]["purge"]): Promise<void> {
  const { bus } = system;
  const { manager } = bus;
  const streams = Object.assign(Object.create(manager.streams), purge === undefined ? {} : { purge });
  const deps = {
    bus: { ...bus, manager: Object.assign(Object.create(manager), { streams }) },
    publish: createPublish(bus),
    archives: createArchiveStore(bus),
    now: () => new Date(),
  };
  await archivePlan(deps, PlanId.parse(planId));
  const left = await openPlanLog(bus).events(PlanId.parse(planId));
  expect(left.map(({ type }) => type).filter((type) => type !== "goal.submitted")).toEqual(["plan.archived"]);
}

/** A plan that has ended, as the gateway knows. */
async function finished(body: object = TWO_STEPS, headers: Record<string, string> = {}): Promise<string> {
  const { planId } = await gateway.submit(body, headers);
  await store(system.bus, wholeRun(planId, ["a", "b"]));
  await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
  return planId;
}

/** Each gateway keeps its own spans, from its start on. */
const Trace = z.object({ traceId: z.string(), sampled: z.boolean(), spans: z.array(z.unknown()) });

/** All data of a plan that a gateway returns. */
async function told(from: TestGateway, planId: string) {
  const json = { accept: "application/json" };
  return {
    view: await (await from.get(`/v1/plans/${planId}`)).json(),
    stream: contents(await readEvents(await from.get(`/v1/plans/${planId}/events`))),
    tail: seqs(await readEvents(await from.get(`/v1/plans/${planId}/events`, { "last-event-id": "5" }))),
    page: await (await from.get(`/v1/plans/${planId}/events?after=2&limit=3`, json)).json(),
    rest: await (await from.get(`/v1/plans/${planId}/events?after=6`, json)).json(),
    nothing: (await from.get(`/v1/plans/${planId}/events?after=7`)).status,
    trace: Trace.parse(await (await from.get(`/v1/plans/${planId}/trace`)).json()),
    artifacts: (await from.get(`/v1/plans/${planId}/artifacts`)).status,
    cancel: (await from.post(`/v1/plans/${planId}/cancel`, {})).status,
  };
}

async function listed(from: TestGateway, query = ""): Promise<unknown> {
  return (await from.get(`/v1/plans?limit=200${query}`)).json();
}

describe("an archived plan", () => {
  it("is shown as before by a gateway that knew it, by a restarted one, and by one that has never seen it", async () => {
    const planId = await finished({ ...TWO_STEPS, goal: "the archived one", metadata: { team: "blue" } });
    await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
    const before = await told(gateway, planId);
    expect(before).toMatchObject({
      tail: [6, 7],
      nothing: 204,
      cancel: 409,
      view: { seq: 7, status: "succeeded" },
    });
    const list = await listed(gateway);
    await (await system.gateway({ folder: "again" }))[Symbol.asyncDispose]();
    await archive(planId);

    expect(await told(gateway, planId)).toEqual(before);
    for (const folder of ["again", "new"]) {
      await using other = await system.gateway({ folder });
      expect(await told(other, planId), folder).toEqual(before);
      expect(await listed(other), folder).toEqual(list);
      expect(await listed(other, "&q=blue"), folder).toMatchObject({ plans: [{ planId }] });
      expect(await listed(other, "&q=archived&status=succeeded"), folder).toMatchObject({
        plans: [{ planId }],
      });
    }
  });

  it("can be watched over a WebSocket from any position", async () => {
    const planId = await finished();
    await archive(planId);
    await using fresh = await system.gateway({ folder: "watching" });
    await using socket = await connectSocket(fresh.url);
    socket.say({ id: "w", type: "watch", planId, after: 3 });
    await socket.hear(({ type, seq }) => type === "event" && seq === 7);
    expect(socket.told.filter(({ type }) => type === "event").map(({ seq }) => seq)).toEqual([4, 5, 6, 7]);
  });

  it("returns the first response to a repeated submission, and refuses another body under its key", async () => {
    const key = { "idempotency-key": "archived-key" };
    const body = { ...TWO_STEPS, goal: "with a key" };
    const first = await gateway.submit(body, key);
    await store(system.bus, wholeRun(first.planId, ["a", "b"]));
    await archive(first.planId);
    const stored = await system.stored();
    await using fresh = await system.gateway({ folder: "keyed" });
    for (const one of [gateway, fresh]) {
      expect(await one.submit(body, key)).toEqual(first);
      const other = await one.post("/v1/plans", { ...body, goal: "another" }, key);
      expect(await other.json()).toMatchObject({ status: 422, code: "idempotency_key_reused" });
    }
    expect(await system.stored()).toBe(stored);
  });

  it("is not revived by a late result", async () => {
    const planId = await finished();
    const before = await (await gateway.get(`/v1/plans/${planId}`)).json();
    await archive(planId);
    const late = { ...succeeded(planId, "a"), id: `${planId}/late` };
    await store(system.bus, [late]);
    await using fresh = await system.gateway({ folder: "late" });
    for (const one of [gateway, fresh]) {
      expect(await (await one.get(`/v1/plans/${planId}`)).json()).toEqual(before);
      expect(JSON.stringify(await listed(one, "&status=running"))).not.toContain(planId);
    }
    await archive(planId);
    expect(await (await gateway.get(`/v1/plans/${planId}`)).json()).toEqual(before);
  });
});

describe("a gateway after system sleep", () => {
  it("treats a plan that it knew as running as ended, and keeps its watchers' positions", async () => {
    const first = await system.gateway({ folder: "slept" });
    const { planId } = await gateway.submit({ ...TWO_STEPS, goal: "ended meanwhile" });
    await store(system.bus, [started(planId, "a")]);
    await expect
      .poll(async () => (await (await first.get(`/v1/plans/${planId}`)).json()) as object)
      .toMatchObject({ seq: 2 });
    await first[Symbol.asyncDispose]();
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(1));
    await archive(planId);
    await using again = await system.gateway({ folder: "slept" });
    expect(await listed(again, "&q=meanwhile")).toMatchObject({ plans: [{ planId, status: "succeeded" }] });
    const rest = await readEvents(await again.get(`/v1/plans/${planId}/events`, { "last-event-id": "2" }));
    expect(seqs(rest)).toEqual([3, 4, 5, 6, 7]);
  });

  it("drops a plan whose end left the log before it was read", async () => {
    const planId = await finished({ ...TWO_STEPS, goal: "torn away" });
    const before = contents(await readEvents(await gateway.get(`/v1/plans/${planId}/events`)));
    // The view of a reader that is between two pieces: the plan's beginning, and then only that it was archived.
    const { bus } = system;
    const [, ...rest] = await Array.fromAsync(readPlanMessages(bus, PlanId.parse(planId)));
    const purge: typeof bus.manager.streams.purge = async (stream, options) => {
      const isPlan = options !== undefined && "filter" in options && options.filter?.startsWith("plan.");
      if (!isPlan) return bus.manager.streams.purge(stream, options);
      for (const { seq } of rest) await bus.manager.streams.deleteMessage(stream, seq);
      return { success: true, purged: rest.length };
    };
    await archive(planId, purge);
    await using late = await system.gateway({ folder: "torn" });
    await expect
      .poll(() => listed(late, "&q=torn"))
      .toMatchObject({ plans: [{ planId, status: "succeeded" }] });
    expect(contents(await readEvents(await late.get(`/v1/plans/${planId}/events`)))).toEqual(before);
  });
});

it("removes a plan from lists once it is old enough to be forgotten", async () => {
  const planId = await finished({ ...TWO_STEPS, goal: "forgotten" });
  await archive(planId);
  const first = await system.gateway({ folder: "forgetful" });
  expect(await listed(first, "&q=forgotten")).toMatchObject({ plans: [{ planId }] });
  await first[Symbol.asyncDispose]();
  // The events of these tests are dated January.
  const env = { RETENTION_ARCHIVES_AFTER: "1d" };
  await using again = await system.gateway({ folder: "forgetful", env });
  expect(await listed(again, "&q=forgotten")).toEqual({ plans: [] });
  const { planId: next } = await again.submit({ ...TWO_STEPS, goal: "not forgotten" });
  await expect.poll(() => listed(again, "&q=forgotten")).toMatchObject({ plans: [{ planId: next }] });
  expect((await again.get("/readyz")).status).toBe(200);
});
