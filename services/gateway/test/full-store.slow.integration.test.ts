// A nats-server whose store is full: submissions are refused with a reason, and accepted plans are shown as before.
import { createPublish, PROBE_SUBJECT, STREAM_CONFIGS, STREAMS } from "@planwright/shared/bus";
import { expect, it } from "vitest";
import { startSystem, type TestGateway, TWO_STEPS } from "./support/start-gateway.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** The space reserved for streams with a maximum size. */
const RESERVED = STREAM_CONFIGS.reduce((sum, { max_bytes: max = 0 }) => sum + Math.max(0, max), 0);

it("refuses a plan that cannot be stored, and takes it once there is room", async () => {
  await using system = await startSystem({ nats: { maxFileStoreBytes: RESERVED + 4 * MIB } });
  await using gateway = await system.gateway();
  const accepted = await gateway.submit(TWO_STEPS);
  const publish = createPublish(system.bus);
  const fill = async (bytes: number): Promise<void> => {
    for (let index = 0; index < 100; index++) {
      const id = `${bytes}/${index}`;
      await publish(`plan.0.other.r.s.0.1.done`, "x".repeat(bytes), { id, waitsForRoom: false });
    }
  };
  for (const bytes of [7 * MIB, 256 * KIB, 8 * KIB, 256]) await expect(fill(bytes)).rejects.toThrow("full");

  const refused = await gateway.post("/v1/plans", TWO_STEPS);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("30");
  expect(await refused.json()).toMatchObject({ code: "store_full" });
  const full = "the store of NATS is full: nothing is stored until space is freed";
  await expect.poll(readiness(gateway)).toEqual([503, { ready: false, missing: [full] }]);
  const view = await gateway.get(`/v1/plans/${accepted.planId}`);
  expect(await view.json()).toMatchObject({ planId: accepted.planId, status: "running" });

  await system.bus.manager.streams.purge(STREAMS.plans, { filter: "plan.0.other.>" });
  await gateway.submit(TWO_STEPS);
  await expect.poll(readiness(gateway)).toEqual([200, { ready: true, missing: [] }]);
});

it("is not ready while a file of the log cannot grow, and keeps one probe for any number of requests", async () => {
  await using system = await startSystem({ nats: { maxFileBytes: MIB } });
  await using gateway = await system.gateway();
  for (let asked = 0; asked < 50; asked++) expect((await gateway.get("/readyz")).status).toBe(200);
  const subjects_filter = PROBE_SUBJECT;
  const { state } = await system.bus.manager.streams.info(STREAMS.plans, { subjects_filter });
  expect(state.subjects).toEqual({ [PROBE_SUBJECT]: 1 });
  await system.bus.js.publish("timer.0.filler.first", Buffer.alloc(MIB * 0.9));
  await system.bus.js
    .publish("timer.0.filler.next", Buffer.alloc(MIB * 0.2), { timeout: 1_000 })
    .catch(() => undefined);
  const silent = "NATS stores nothing: its disk is full or cannot be written, or it is starting";
  await expect
    .poll(readiness(gateway), { timeout: 30_000 })
    .toEqual([503, { ready: false, missing: [silent] }]);
  await system.nats.restart();
  await expect.poll(readiness(gateway), { timeout: 30_000 }).toEqual([200, { ready: true, missing: [] }]);
});

const readiness = (gateway: TestGateway) => async (): Promise<[number, unknown]> => {
  const response = await gateway.get("/readyz");
  return [response.status, await response.json()];
};
