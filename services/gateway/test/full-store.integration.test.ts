// A nats-server whose store is full: submissions are refused by name, and what was accepted is shown as before.
import { createPublish, STREAM_CONFIGS, STREAMS } from "@planwright/shared/bus";
import { expect, it } from "vitest";
import { startSystem, TWO_STEPS } from "./support/start-gateway.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** Streams that may hold so much have it set aside for them. */
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
  const view = await gateway.get(`/v1/plans/${accepted.planId}`);
  expect(await view.json()).toMatchObject({ planId: accepted.planId, status: "running" });

  await system.bus.manager.streams.purge(STREAMS.plans, { filter: "plan.0.other.>" });
  await gateway.submit(TWO_STEPS);
});
