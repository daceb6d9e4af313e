// Those who watch a plan see the same facts, in order, once each, whatever happens to the gateway.
import { PlanEvent } from "@planwright/plan";
import { wait } from "@planwright/testkit";
import type { SeenEvent, TestSystem } from "@planwright/testkit";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { connectSocket } from "./support/connect-socket.ts";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem({ alone: ["gateway"] });
let system: TestSystem;
beforeAll(() => {
  system = shared.system;
});

const Fact = z.object({ type: z.literal("event"), seq: z.int(), event: PlanEvent });

const steps = [
  wait("a", 50),
  wait("b", 400, { dependsOn: ["a"] }),
  wait("c", 400, { dependsOn: ["b"] }),
  wait("d", 400, { dependsOn: ["c"] }),
];

it("shows two watchers, one over SSE and one over WebSocket, the same events without a gap", async () => {
  const { planId } = await system.client.submit({ goal: "watched", plan: { steps } });
  const [overSse, overSocket] = await Promise.all([
    all(system.client.stream(planId)),
    watchOverSocket(system, planId),
  ]);
  expect(overSocket.map(({ seq, event }) => ({ seq, id: event.id }))).toEqual(
    overSse.map(({ seq, event }) => ({ seq, id: event.id })),
  );
  expect(overSse.map(({ seq }) => seq)).toEqual(overSse.map((_, index) => index + 1));
  expect(overSse.at(-1)?.event.type).toBe("plan.ended");
});

it("resumes after the last event that a client has seen, also when the gateway was killed meanwhile", async () => {
  const { planId } = await system.client.submit({ goal: "watched", plan: { steps } });
  const seen: SeenEvent[] = [];
  for await (const entry of system.client.stream(planId)) {
    seen.push(entry);
    if (entry.event.type === "step.succeeded") break;
  }
  await system.kill("gateway");
  await system.start("gateway");
  seen.push(...(await all(system.client.stream(planId, { after: seen.at(-1)?.seq ?? 0 }))));
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  expect(new Set(seen.map(({ event }) => event.id)).size).toBe(seen.length);
  expect(seen.at(-1)?.event.type).toBe("plan.ended");
});

it("loses and repeats nothing for a client that comes back time and again, by either way", async () => {
  const { planId } = await system.client.submit({ goal: "watched", plan: { steps } });
  const seen: SeenEvent[] = [];
  for (let visit = 0; seen.at(-1)?.event.type !== "plan.ended"; visit++) {
    const after = seen.at(-1)?.seq ?? 0;
    // One fact at a time, in turn over SSE and over a WebSocket; at two places the gateway dies in between.
    if (visit % 2 === 0) seen.push(...(await first(system.client.stream(planId, { after }))));
    else seen.push(...(await watchOverSocket(system, planId, { after, enough: () => true })));
    if (visit === 1 || visit === 4) {
      await system.kill("gateway");
      await system.start("gateway");
    }
  }
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  const whole = await all(system.client.stream(planId));
  expect(seen.map(({ event }) => event)).toEqual(whole.map(({ event }) => event));
});

it("continues for a client that stays connected while nats-server is killed and comes back", async () => {
  const { planId } = await system.client.submit({ goal: "watched", plan: { steps } });
  const watching = all(system.client.stream(planId));
  const other = watchOverSocket(system, planId);
  for await (const { event } of system.client.events(planId)) if (event.type === "step.succeeded") break;
  await system.nats.kill();
  await system.nats.restart();
  const seen = await watching;
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  expect((await other).map(({ seq }) => seq)).toEqual(seen.map(({ seq }) => seq));
});

it("shows an ended plan from any position, reports when nothing is left, and knows no other plans", async () => {
  const one = { id: "a", tool: "flow.echo", args: { value: 1 } };
  const { planId } = await system.client.submit({ goal: "short", plan: { steps: [one], answerFrom: "a" } });
  const whole = await all(system.client.stream(planId));
  const last = whole.length;
  for (let after = 0; after < last; after++) {
    const rest = await all(system.client.stream(planId, { after }));
    expect(rest.map(({ seq }) => seq)).toEqual(whole.map(({ seq }) => seq).slice(after));
    expect((await watchOverSocket(system, planId, { after })).map(({ seq }) => seq)).toEqual(
      rest.map(({ seq }) => seq),
    );
  }
  for (const after of [last, last + 1, Number.MAX_SAFE_INTEGER]) {
    const response = await system.client.fetch(`/v1/plans/${planId}/events?after=${after}`);
    expect([after, response.status, await response.text()]).toEqual([after, 204, ""]);
  }
  const unknown = await system.client.fetch("/v1/plans/unknown/events");
  expect([unknown.status, unknown.headers.get("content-type")]).toEqual([
    404,
    expect.stringContaining("problem+json"),
  ]);
  await using socket = await connectSocket(system.url);
  socket.say({ id: "u", type: "watch", planId: "unknown" });
  expect(await socket.hear(({ type }) => type === "error")).toMatchObject({
    id: "u",
    code: "plan_not_found",
  });
});

it("ends the stream of a client that claims to know more than there is, once the plan has ended", async () => {
  const { planId } = await system.client.submit({ goal: "watched", plan: { steps } });
  const headers = { accept: "text/event-stream", "last-event-id": "1000000" };
  const response = await system.client.fetch(`/v1/plans/${planId}/events`, { headers });
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain("data:");
  expect((await system.client.view(planId)).status).toBe("succeeded");
});

async function first(events: AsyncGenerator<SeenEvent>): Promise<SeenEvent[]> {
  for await (const entry of events) return [entry];
  return [];
}

async function all(events: AsyncGenerator<SeenEvent>): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  for await (const entry of events) {
    seen.push(entry);
    if (entry.event.type === "plan.ended") break;
  }
  return seen;
}

/** Watches over a WebSocket from `after` on, until the plan has ended or a fact makes it `enough`. */
async function watchOverSocket(
  system: TestSystem,
  planId: string,
  { after = 0, enough = () => false }: { after?: number; enough?: (fact: SeenEvent) => boolean } = {},
): Promise<SeenEvent[]> {
  await using socket = await connectSocket(system.url);
  socket.say({ id: "w", type: "watch", planId, after });
  const facts = (): SeenEvent[] =>
    socket.told.flatMap((message) => {
      const { success, data } = Fact.safeParse(message);
      return success ? [data] : [];
    });
  const isOver = (fact: SeenEvent): boolean => fact.event.type === "plan.ended" || enough(fact);
  await expect.poll(() => facts().some(isOver)).toBe(true);
  const seen = facts();
  return seen.slice(0, seen.findIndex(isOver) + 1);
}
