// What surrounds the services fails: their processes are stopped, nats-server dies, the network breaks, clocks jump,
// work comes twice and in another order.
// Plans of every kind run meanwhile, and every promise holds.
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { PubHeaders } from "@nats-io/jetstream";
import { headers, type Msg } from "@nats-io/transport-node";
import { type Bus, STREAMS } from "@planwright/shared/bus";
import { SERVICE_NAMES, seededRandom, startTcpProxy } from "@planwright/testkit";
import { expect, it } from "vitest";
import { faultyStage } from "../support/faulty-stage.ts";

/** Longer than an unrenewed message stays with its worker. */
const PAST_ACK_WAIT_MS = 2_000;
/** How late work may come the second time. */
const LATE_MS = 500;
const TWIN = "X-Twin";

const stage = await faultyStage();

async function waitingWork({ manager }: Bus): Promise<string[]> {
  const { state } = await manager.streams.info(STREAMS.work, { subjects_filter: ">" });
  return Object.keys(state.subjects ?? {});
}

it("lets workers that were stopped past the ack wait continue, and counts nothing twice", async () => {
  const { system } = stage.faulty;
  const broken = await stage.faulty.during(async () => {
    await delay(100);
    const stopped = SERVICE_NAMES.flatMap((name) => system.processes(name)).map(({ process }) => process);
    const workers = SERVICE_NAMES.filter((name) => name !== "gateway");
    for (const process of stopped) process.kill("SIGSTOP");
    for (const name of workers) await system.start(name);
    await delay(PAST_ACK_WAIT_MS);
    for (const process of stopped) process.kill("SIGCONT");
  });
  expect(broken).toEqual([]);
});

it("continues after nats-server was killed, and killed again while everything reconnected", async () => {
  const { nats } = stage.faulty.system;
  const broken = await stage.faulty.during(async () => {
    for (const pauseMs of [100, 0, 30, 300]) {
      await delay(pauseMs);
      await nats.kill();
      await nats.restart();
    }
  });
  expect(broken).toEqual([]);
});

it("continues after the network to each service was cut, dropped everything silently, or was slow", async () => {
  const { system } = stage.faulty;
  await using network = await startTcpProxy(system.nats.url);
  const broken = await stage.faulty.during(async () => {
    for (const name of SERVICE_NAMES) {
      await system.kill(name);
      await system.start(name, { NATS_URL: network.url });
    }
    await delay(100);
    network.cut();
    await delay(300);
    network.heal();
    await delay(100);
    network.swallow();
    await delay(PAST_ACK_WAIT_MS);
    network.heal();
    network.slow(20);
    await delay(300);
    network.heal();
    network.forget();
  });
  await Promise.all(
    SERVICE_NAMES.map(async (name) => {
      await system.kill(name);
      await system.start(name);
    }),
  );
  expect(broken).toEqual([]);
});

it("keeps every promise when all work is delivered twice, the second time late and in another order", async () => {
  const { bus, system } = stage.faulty;
  // A file before this one may have left work for a pool without workers.
  const before = await waitingWork(bus);
  const random = seededRandom("late work");
  const twins: Promise<unknown>[] = [];
  const again = async ({ subject, data, headers: old }: Msg): Promise<void> => {
    const twin = headers();
    for (const name of old?.keys() ?? []) if (!name.startsWith("Nats-")) twin.set(name, old?.get(name) ?? "");
    twin.set(PubHeaders.MsgIdHdr, `twin/${twins.length}`);
    twin.set(TWIN, "yes");
    await delay(random.below(LATE_MS));
    await bus.js.publish(subject, data, { headers: twin });
  };
  const work = bus.connection.subscribe("work.>", {
    callback: (_error, message) => {
      if (message.headers?.has(TWIN) !== true) twins.push(again(message));
    },
  });
  const broken = await stage.faulty.during(async () => {
    await system.start("executor");
    await delay(2 * LATE_MS);
    // However slow the machine: so many that some come late and in another order.
    await expect.poll(() => twins.length).toBeGreaterThan(20);
  });
  work.unsubscribe();
  expect(broken).toEqual([]);
  await Promise.all(twins);
  await expect
    .poll(async () => (await waitingWork(bus)).filter((subject) => !before.includes(subject)))
    .toEqual([]);
});

it("fires nothing too late when the clocks of the services jump by an hour", async () => {
  const { system } = stage.faulty;
  const jumping = {
    NODE_OPTIONS: `--import=${pathToFileURL(path.resolve("tests/support/jump-clock.mjs")).href}`,
  };
  const env = {
    planner: {},
    executor: { CLOCK_OFFSET_MS: "3600000" },
    gateway: {},
    reflector: { CLOCK_OFFSET_MS: "-3600000" },
  };
  const broken = await stage.faulty.during(async () => {
    for (const name of SERVICE_NAMES) {
      await system.kill(name);
      await system.start(name, { ...jumping, ...env[name] });
    }
    await delay(1_000);
  });
  expect(broken).toEqual([]);
});
