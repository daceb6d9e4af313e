// The nats-server that the launcher starts, as real processes on temporary folders.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect, it } from "vitest";
import { findNatsServer, startNatsServer } from "../src/nats/index.ts";

const log = () => undefined;
const { bin } = await findNatsServer({ env: process.env, log });

async function temporaryFolder() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-launcher-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

it("accepts connections once started, with JetStream and the configured payload limit", async () => {
  await using temporary = await temporaryFolder();
  await using server = await startNatsServer({ bin, storeDir: temporary.folder, log, maxPayloadBytes: 2048 });
  await using connection = closing(await connect({ servers: server.url }));
  expect(connection.info?.jetstream).toBe(true);
  expect(connection.info?.max_payload).toBe(2048);
});

it("keeps its stored messages across a kill and a restart on the same port", async () => {
  await using temporary = await temporaryFolder();
  const first = await startNatsServer({ bin, storeDir: temporary.folder, log, syncAlways: true });
  {
    await using connection = closing(await connect({ servers: first.url }));
    await (await jetstreamManager(connection)).streams.add({ name: "S", subjects: ["s.>"] });
    await jetstream(connection).publish("s.1", "kept");
  }
  await first.kill();
  await using second = await startNatsServer({
    bin,
    storeDir: temporary.folder,
    log,
    port: first.port,
  });
  expect(second.url).toBe(first.url);
  await using connection = closing(await connect({ servers: second.url }));
  const { state } = await (await jetstreamManager(connection)).streams.info("S");
  expect(state.messages).toBe(1);
});

it("stops a server that an earlier process left running on the same store", async () => {
  await using temporary = await temporaryFolder();
  const lines: string[] = [];
  const left = await startNatsServer({ bin, storeDir: temporary.folder, log });
  await using server = await startNatsServer({
    bin,
    storeDir: temporary.folder,
    log: (line) => lines.push(line),
  });
  await left.exited;
  expect(lines.join()).toContain(`process ${left.pid}`);
  expect(server.pid).not.toBe(left.pid);
});

it("does not stop an unrelated process whose id is in the store's pid file", async () => {
  await using temporary = await temporaryFolder();
  const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await writeFile(path.join(temporary.folder, "nats-server.pid"), String(stranger.pid));
  await using _server = await startNatsServer({ bin, storeDir: temporary.folder, log });
  expect(stranger.exitCode).toBeNull();
  expect(stranger.signalCode).toBeNull();
  stranger.kill();
  await once(stranger, "exit");
});

it("reports that its port is in use", async () => {
  await using one = await temporaryFolder();
  await using two = await temporaryFolder();
  await using server = await startNatsServer({ bin, storeDir: one.folder, log });
  await expect(startNatsServer({ bin, storeDir: two.folder, log, port: server.port })).rejects.toThrow(
    /did not start: .*address already in use/,
  );
});

it.each(["/nowhere", process.execPath])(
  "refuses NATS_SERVER_BIN=%s, which is not a nats-server",
  async (named) => {
    const found = findNatsServer({ env: { NATS_SERVER_BIN: named }, log });
    await expect(found).rejects.toThrow(`NATS_SERVER_BIN=${named} is not a nats-server`);
  },
);

function closing<Connection extends { close(): Promise<void> }>(connection: Connection) {
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
}
