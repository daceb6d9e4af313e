// Those who watch a plan see the same facts, in order, once each, whatever happens to the gateway.
import { type SeenEvent, startSystem, type TestSystem } from "@planwright/testkit";
import { expect, it } from "vitest";
import { WebSocket } from "ws";

const wait = (id: string, ms: number, dependsOn: string[] = []) => ({
  id,
  tool: "flow.wait",
  args: { ms },
  dependsOn,
});
const steps = [wait("a", 50), wait("b", 400, ["a"]), wait("c", 400, ["b"]), wait("d", 400, ["c"])];

it("shows two watchers, one over SSE and one over WebSocket, the same facts without a gap", async () => {
  await using system = await startSystem();
  const { planId } = await system.client.submit({ goal: "watched", plan: { steps } });
  const [overSse, overSocket] = await Promise.all([
    all(system.client.events(planId)),
    watchOverSocket(system, planId),
  ]);
  expect(overSocket.map(({ seq, event }) => ({ seq, id: event.id }))).toEqual(
    overSse.map(({ seq, event }) => ({ seq, id: event.id })),
  );
  expect(overSse.map(({ seq }) => seq)).toEqual(overSse.map((_, index) => index + 1));
  expect(overSse.at(-1)?.event.type).toBe("plan.ended");
});

it("goes on after the last fact that a client has seen, also when the gateway was killed meanwhile", async () => {
  await using system = await startSystem();
  const { planId } = await system.client.submit({ goal: "watched", plan: { steps } });
  const seen: SeenEvent[] = [];
  for await (const entry of system.client.events(planId)) {
    seen.push(entry);
    if (entry.event.type === "step.succeeded") break;
  }
  await system.kill("gateway");
  await system.start("gateway");
  seen.push(...(await all(system.client.events(planId, { after: seen.at(-1)?.seq ?? 0 }))));
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  expect(new Set(seen.map(({ event }) => event.id)).size).toBe(seen.length);
  expect(seen.at(-1)?.event.type).toBe("plan.ended");
});

async function all(events: AsyncGenerator<SeenEvent>): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  for await (const entry of events) {
    seen.push(entry);
    if (entry.event.type === "plan.ended") break;
  }
  return seen;
}

async function watchOverSocket(system: TestSystem, planId: string): Promise<SeenEvent[]> {
  const socket = new WebSocket(`${system.url.replace("http", "ws")}/v1/ws`);
  const seen: SeenEvent[] = [];
  const ended = Promise.withResolvers<void>();
  socket.on("error", ended.reject);
  socket.on("open", () => socket.send(JSON.stringify({ id: "1", type: "watch", planId })));
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string } & SeenEvent;
    if (message.type !== "event") return;
    seen.push({ seq: message.seq, event: message.event });
    if (message.event.type === "plan.ended") ended.resolve();
  });
  await ended.promise;
  socket.close();
  return seen;
}
