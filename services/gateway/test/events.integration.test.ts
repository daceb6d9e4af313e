// A plan's events as clients see them: live, from any position, without gaps or repeats.
import { PlanId } from "@planwright/plan";
import { echo, newerFacts } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { answered, ended, fact, started, store, succeeded, wholeRun } from "./support/facts.ts";
import { readEvents, seqs, types } from "./support/read-events.ts";
import { sharedGateway, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const WHOLE = [
  "goal.submitted",
  "step.started",
  "step.succeeded",
  "step.started",
  "step.succeeded",
  "answer.given",
  "plan.ended",
];
const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("the stream of a plan", () => {
  it("begins with past events, continues live, and ends with the plan", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, [started(planId, "a")]);
    const response = await gateway.get(`/v1/plans/${planId}/events`);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const reading = readEvents(response);
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(1));
    const events = await reading;
    expect(seqs(events)).toEqual(oneTo(7));
    expect(types(events)).toEqual(WHOLE);
  });

  it("shows two watchers the same", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const early = gateway.get(`/v1/plans/${planId}/events`).then((response) => readEvents(response));
    await store(system.bus, [started(planId, "a"), succeeded(planId, "a")]);
    const late = gateway.get(`/v1/plans/${planId}/events`).then((response) => readEvents(response));
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(2));
    expect(await late).toEqual(await early);
  });

  it("misses nothing and repeats nothing over reconnections in mid-stream", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const running = store(system.bus, wholeRun(planId, ["a", "b"]));
    const seen: number[] = [];
    while (seen.length < 7) {
      const headers: Record<string, string> =
        seen.length === 0 ? {} : { "last-event-id": String(seen.at(-1)) };
      const response = await gateway.get(`/v1/plans/${planId}/events?after=0`, headers);
      seen.push(...seqs(await readEvents(response, 2)));
    }
    await running;
    expect(seen).toEqual(oneTo(7));
  });

  it("omits events that the plan does not count", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, [
      fact(planId, "timer.fired", { timer: "nobody-asked" }),
      succeeded(planId, "unknown"),
      ...wholeRun(planId, ["a", "b"]),
      fact(planId, "cancel.requested", { reason: "too late", by: "x" }),
    ]);
    const events = await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
    expect(types(events)).toEqual(WHOLE);
  });

  it("leaves out events of newer versions, as views and lists do, and the log keeps them", async () => {
    const { planId } = await gateway.submit({ ...TWO_STEPS, goal: "seen by two versions" });
    const newer = newerFacts(system.bus, PlanId.parse(planId));
    const live = gateway.get(`/v1/plans/${planId}/events`).then((response) => readEvents(response));
    await newer.store("at first");
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(0, 3));
    await newer.store("in the middle");
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(3));
    await newer.store("at last");
    expect(types(await live)).toEqual(WHOLE);
    // One gateway has followed the log, another reads it from the beginning; both return the same.
    await using other = await system.gateway({ folder: "newer" });
    for (const one of [gateway, other]) {
      expect(seqs(await readEvents(await one.get(`/v1/plans/${planId}/events`)))).toEqual(oneTo(7));
      const view = await (await one.get(`/v1/plans/${planId}`)).json();
      expect(view).toMatchObject({ status: "succeeded", seq: 7, progress: { done: 2, total: 2 } });
      const list = await (await one.get("/v1/plans?q=versions")).json();
      expect(list).toMatchObject({ plans: [{ planId, status: "succeeded" }] });
      expect((await one.get("/readyz")).status).toBe(200);
    }
    expect(await newer.kept()).toBe(15);
  });

  it("of an ended plan runs from any position to the end, and returns 204 when nothing is left", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    const rest = await readEvents(await gateway.get(`/v1/plans/${planId}/events?after=4`));
    expect(seqs(rest)).toEqual([5, 6, 7]);
    expect((await gateway.get(`/v1/plans/${planId}/events?after=7`)).status).toBe(204);
  });

  it("is also available as JSON pages", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
    const page = async (query: string) =>
      (await gateway.get(`/v1/plans/${planId}/events${query}`, { accept: "application/json" })).json();
    expect(await page("?limit=3")).toMatchObject({
      events: [{ seq: 1, event: { type: "goal.submitted" } }, { seq: 2 }, { seq: 3 }],
      nextAfter: 3,
    });
    const last = await page("?after=3");
    expect(last).toMatchObject({ events: [{ seq: 4 }, { seq: 5 }, { seq: 6 }, { seq: 7 }] });
    expect(last).not.toHaveProperty("nextAfter");
  });

  it.each(["after=-1", "after=x", "limit=0", "limit=10001"])("refuses %s", async (query) => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const response = await gateway.get(`/v1/plans/${planId}/events?${query}`, { accept: "application/json" });
    expect(response.status).toBe(400);
  });

  it("comes from the log for a plan that ended long ago and has more events than memory keeps", async () => {
    const ids = oneTo(1_500).map((index) => `s${index}`);
    const steps = ids.map((id) => echo(id));
    const { planId } = await gateway.submit({ goal: "large", plan: { steps, answerFrom: "s1" } });
    const outcomes = ids.flatMap((id) => [started(planId, id), succeeded(planId, id)]);
    await store(system.bus, outcomes);
    await store(system.bus, [answered(planId), ended(planId)]);
    const before = await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
    expect(seqs(before)).toEqual(oneTo(3_003));
    // A restarted gateway resumes where it stopped, with no ended plans in memory.
    await (await system.gateway({ folder: "again" }))[Symbol.asyncDispose]();
    await using again = await system.gateway({ folder: "again" });
    expect(await readEvents(await again.get(`/v1/plans/${planId}/events`))).toEqual(before);
    const tail = await readEvents(await again.get(`/v1/plans/${planId}/events?after=3000`));
    expect(seqs(tail)).toEqual([3_001, 3_002, 3_003]);
  });
});

describe("cancelling", () => {
  it("resolves when the plan's view shows it, and again without another event", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    for (const reason of ["changed my mind", "again"]) {
      const response = await gateway.post(`/v1/plans/${planId}/cancel`, { reason });
      expect(response.status).toBe(202);
      expect(await response.json()).toEqual({ planId, status: "cancelled" });
    }
    const view = await (await gateway.get(`/v1/plans/${planId}`)).json();
    expect(view).toMatchObject({ status: "cancelled", reason: "changed my mind", seq: 2 });
    await store(system.bus, [ended(planId, "cancelled")]);
    await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
    const late = await gateway.post(`/v1/plans/${planId}/cancel`, {});
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ code: "plan_ended" });
  });

  it("needs no body, and accepts no other fields", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const bad = await gateway.post(`/v1/plans/${planId}/cancel`, { because: "x" });
    expect(bad.status).toBe(400);
    expect((await fetch(`${gateway.url}/v1/plans/${planId}/cancel`, { method: "POST" })).status).toBe(202);
    const events = await readEvents(await gateway.get(`/v1/plans/${planId}/events`), 2);
    expect(JSON.parse(events[1]?.data ?? "")).toMatchObject({ data: { by: "default" } });
  });

  it("is refused once the plan's end is decided", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(0, -2));
    expect((await gateway.post(`/v1/plans/${planId}/cancel`, {})).status).toBe(409);
  });

  it("of an unknown plan is a 404", async () => {
    expect((await gateway.post("/v1/plans/nope/cancel", {})).status).toBe(404);
  });
});
