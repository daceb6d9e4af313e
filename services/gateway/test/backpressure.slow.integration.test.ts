// More submissions than the gateway accepts at a time: each is either refused with a retry time, or stored.
import { PlanId } from "@planwright/plan";
import { readPlan, STREAMS } from "@planwright/shared/bus";
import { startTcpProxy } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { connectSocket, type TestSocket } from "./support/connect-socket.ts";
import { store, wholeRun } from "./support/facts.ts";
import { startSystem, type TestGateway, type TestSystem, TWO_STEPS } from "./support/start-gateway.ts";

const SUBMISSIONS = 600;
const IN_FLIGHT_MAX = 8;

const Accepted = z.object({ planId: PlanId, traceId: z.string() });
const Refused = z.object({ code: z.literal("too_many_submissions"), retryAfterSeconds: z.int().positive() });
/** The response to one submission: its plan, or that the client may send it again. */
type Told = { readonly planId: PlanId } | "again";

let system: TestSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.[Symbol.asyncDispose]());

const goalOf = (key: string) => ({ goal: `the goal of ${key}` });

async function overHttp(gateway: TestGateway, key: string): Promise<Told> {
  const response = await gateway.post("/v1/plans", goalOf(key), { "idempotency-key": key });
  if (response.status === 202) return Accepted.parse(await response.json());
  const refusal = Refused.extend({ status: z.literal(429) }).parse(await response.json());
  expect(response.headers.get("retry-after")).toBe(String(refusal.retryAfterSeconds));
  return "again";
}

async function overSocket(socket: TestSocket, id: string, key: string): Promise<Told> {
  socket.say({ id, type: "submit", body: goalOf(key), idempotencyKey: key });
  const told = await socket.hear((message) => message["id"] === id);
  if (told.type === "accepted") return Accepted.parse(told);
  Refused.parse(told);
  return "again";
}

describe("while the log does not answer", () => {
  it("takes only so many submissions, and every one that was refused when it comes again", async () => {
    await using way = await startTcpProxy(system.nats.url);
    // This test is about pace: other tests check responses against their schemas.
    const limits = { SUBMISSIONS_IN_FLIGHT_MAX: String(IN_FLIGHT_MAX), STRICT_RESPONSES: "false" };
    const env = { NATS_URL: way.url, ...limits };
    await using gateway = await system.gateway({ folder: "few", env });
    await using socket = await connectSocket(gateway.url);
    const keys = Array.from({ length: SUBMISSIONS }, (_, index) => `key-${index}`);
    const isOverHttp = (index: number): boolean => index % 2 === 0;

    way.swallow();
    let refused = 0;
    const first = keys.map(async (key, index) => {
      const told = isOverHttp(index) ? await overHttp(gateway, key) : await overSocket(socket, key, key);
      if (told === "again") refused += 1;
      return told;
    });
    await expect.poll(() => refused).toBe(SUBMISSIONS - IN_FLIGHT_MAX);
    expect(await system.stored()).toBe(0);
    way.heal();
    const told = await Promise.all(first);
    const accepted = told.flatMap((one) => (one === "again" ? [] : [one.planId]));
    expect(accepted).toHaveLength(IN_FLIGHT_MAX);
    expect(await system.stored()).toBe(IN_FLIGHT_MAX);
    for (const planId of accepted)
      expect((await readPlan(system.bus, planId))?.goal.goal).toMatch(/^the goal/);

    // Each with the key of its first attempt, through the other interface, a few at a time.
    const all: PlanId[] = [];
    const waiting = keys.entries();
    const sendAgain = async (): Promise<void> => {
      for (const [index, key] of waiting) {
        const again = isOverHttp(index)
          ? await overSocket(socket, `again/${key}`, key)
          : await overHttp(gateway, key);
        if (again === "again") throw new Error(`${key} was refused among ${IN_FLIGHT_MAX}`);
        all.push(again.planId);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT_MAX }, sendAgain));
    expect(new Set(all).size).toBe(SUBMISSIONS);
    expect(accepted.every((planId) => all.includes(planId))).toBe(true);
    expect(await system.stored()).toBe(SUBMISSIONS);
  });
});

describe("plans that have not ended", () => {
  it("are only so many, until one ends; what was accepted stays accepted", async () => {
    await system.bus.manager.streams.purge(STREAMS.plans);
    const open = (max: number) => system.gateway({ folder: "open", env: { OPEN_PLANS_MAX: String(max) } });
    const submit = (to: TestGateway, key: string) =>
      to.post("/v1/plans", TWO_STEPS, { "idempotency-key": key });
    let first: z.output<typeof Accepted>;
    {
      await using gateway = await open(3);
      first = Accepted.parse(await (await submit(gateway, "a")).json());
      const others = await Promise.all(["b", "c", "d", "e"].map((key) => submit(gateway, key)));
      expect(others.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        202, 202, 429, 429,
      ]);
      const refused = others.find(({ status }) => status === 429);
      expect(refused?.headers.get("retry-after")).toBe("5");
      expect(await refused?.json()).toMatchObject({ code: "too_many_open_plans", retryAfterSeconds: 5 });
      expect(await system.stored()).toBe(3);
      await store(system.bus, wholeRun(first.planId, ["a", "b"]));
      await expect.poll(async () => (await submit(gateway, "f")).status).toBe(202);
    }
    // After the restart, the ended plan is no longer in memory, and is read from the log.
    await using gateway = await open(1);
    expect((await submit(gateway, "g")).status).toBe(429);
    const again = await submit(gateway, "a");
    expect([again.status, await again.json()]).toEqual([202, first]);
    expect((await gateway.post("/v1/plans", { goal: "other" }, { "idempotency-key": "a" })).status).toBe(422);
  });
});
