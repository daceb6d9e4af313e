// The gateway while nats-server comes and goes.
import { describe, expect, it } from "vitest";
import { connectSocket } from "./support/connect-socket.ts";
import { store, wholeRun } from "./support/facts.ts";
import { readEvents, seqs } from "./support/read-events.ts";
import { startSystem, TWO_STEPS } from "./support/start-gateway.ts";

describe("after nats-server was killed and restarted", () => {
  it("keeps sending events without a gap to earlier watchers", async () => {
    await using system = await startSystem();
    await using gateway = await system.gateway();
    const { planId } = await gateway.submit(TWO_STEPS);
    const [first, ...rest] = wholeRun(planId, ["a", "b"]);
    await store(system.bus, first === undefined ? [] : [first]);
    const streaming = gateway.get(`/v1/plans/${planId}/events`).then((response) => readEvents(response));
    await using client = await connectSocket(gateway.url);
    client.say({ id: 1, type: "watch", planId });
    await client.hear(({ seq }) => seq === 2);

    await system.nats.kill();
    const held = gateway.submit({ goal: "while it is away" });
    await system.nats.restart();
    await store(system.bus, rest);
    expect(seqs(await streaming)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await client.hear(({ seq }) => seq === 7);
    const after = await held;
    const view = await (await gateway.get(`/v1/plans/${after.planId}`)).json();
    expect(view).toMatchObject({ goal: "while it is away", status: "planning" });
    await expect.poll(async () => (await gateway.get("/readyz")).status).toBe(200);
  });
});
