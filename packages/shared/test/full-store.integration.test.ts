// A full store rejects messages with an error, keeps its content, and accepts messages once there is room again.
import { connectBus, createPublish, STREAM_CONFIGS, STREAMS, StoreFullError } from "@planwright/shared/bus";
import { startNats } from "@planwright/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";

const MIB = 1024 * 1024;
const ROOM = 4;

it("refuses what does not fit, keeps what it has, and lets those wait who can", async () => {
  await using nats = await startNats({ maxFileStoreBytes: ROOM * MIB });
  await using bus = await connectBus({ url: nats.url, name: "test" });
  const plans = STREAM_CONFIGS.find(({ name }) => name === STREAMS.plans);
  await bus.manager.streams.add(plans ?? { name: STREAMS.plans });
  const publish = createPublish(bus);
  const put = (index: number, waitsForRoom: boolean) =>
    publish(`plan.0.p${index}.r.s.0.1.done`, "x".repeat(MIB), { id: `m${index}`, waitsForRoom });
  const stored = async () => (await bus.manager.streams.info(STREAMS.plans)).state.messages;

  const fill = async (): Promise<void> => {
    for (let index = 0; index <= ROOM; index++) await put(index, false);
  };
  await expect(fill()).rejects.toThrow(StoreFullError);
  const before = await stored();
  expect(before).toBeGreaterThan(0);

  const waiting = put(ROOM + 1, true);
  await delay(300);
  expect(await stored()).toBe(before);
  await bus.manager.streams.purge(STREAMS.plans, { filter: "plan.0.p0.>" });
  expect(await waiting).toMatchObject({ duplicate: false });
  expect(await stored()).toBe(before);
});
