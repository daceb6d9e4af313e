// The server that all other integration tests use.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { connectNats } from "@planwright/shared/access";
import { startNats } from "@planwright/testkit";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { readStarts, TEST_RUN_STARTS } from "../src/run/test-run.ts";

it("gives every caller a separate server with an empty store", async () => {
  await using one = await startNats();
  await using two = await startNats();
  expect(one.url).not.toBe(two.url);
  const connection = await connect({ servers: one.url });
  const manager = await jetstreamManager(connection);
  expect(await manager.streams.list().next()).toEqual([]);
  await connection.close();
});

it("keeps its streams and its address across a kill and a restart, and clients reconnect", async () => {
  await using nats = await startNats();
  const connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 10 });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: "S", subjects: ["s.>"] });
  await jetstream(connection).publish("s.1", "kept");
  const reconnected = untilReconnected(connection);
  await nats.kill();
  await nats.restart();
  await reconnected;
  expect((await manager.streams.info("S")).state.messages).toBe(1);
  await connection.close();
});

it("lends a disposed server to the next caller, without its streams", async () => {
  let url = "";
  {
    await using nats = await startNats();
    url = nats.url;
    const connection = await connect({ servers: url });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: "S", subjects: ["s.>"] });
    await manager.streams.add({ name: "T", subjects: ["t.>"] });
    await manager.consumers.add("S", { durable_name: "c" });
    await connection.close();
  }
  await using again = await startNats();
  expect(again.url).toBe(url);
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  expect(await manager.streams.list().next()).toEqual([]);
  await connection.close();
});

it("ends a server with options, or one that was killed, when it is disposed", async () => {
  const urls: string[] = [];
  {
    await using limited = await startNats({ maxPayloadBytes: 1024 * 1024 });
    await using killed = await startNats();
    urls.push(limited.url, killed.url);
    await killed.kill();
  }
  for (const url of urls) {
    await expect(connect({ servers: url, reconnect: false })).rejects.toThrow(/refused/i);
  }
});

it("replaces servers that have ended or are idle with other users, and adds none", async () => {
  {
    await using _idleAfterwards = await startNats();
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-starts-"));
  const countedHere = process.env[TEST_RUN_STARTS];
  process.env[TEST_RUN_STARTS] = path.join(folder, "starts");
  try {
    for (const options of [{ locked: true }, { maxPayloadBytes: 1024 * 1024 }, {}, { locked: true }]) {
      await using nats = await startNats(options);
      await (await connectNats({ url: nats.url }, { name: "test" })).close();
      await nats.kill();
    }
    expect(readStarts(process.env[TEST_RUN_STARTS]).get("nats-server")).toBeUndefined();
  } finally {
    process.env[TEST_RUN_STARTS] = countedHere;
    await rm(folder, { recursive: true, force: true });
  }
});

async function untilReconnected(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === "reconnect") return;
}
