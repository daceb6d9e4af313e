import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type NatsServer, startNatsServer } from "@planwright/launcher/nats";
import { noteStart } from "../run/test-run.ts";
import { chooseWay } from "./choose-way.ts";
import { limitOfFiles } from "./limit-of-files.ts";
import { startNatsContainer } from "./start-nats-container.ts";
import { TEST_NATS_WAY, TestNatsWay } from "./test-nats.ts";

export type TestNats = AsyncDisposable & {
  readonly url: string;
  /** Ends the server at once, as a crash would; what it stored stays. */
  kill(): Promise<void>;
  /** Ends the server if it runs, and starts it again on the same port and store, without a limit of its files. */
  restart(): Promise<void>;
};

export type TestNatsOptions = {
  /** Every acknowledged message is on the disk; slow. */
  readonly syncAlways?: boolean;
  /** Default 8 MiB. */
  readonly maxPayloadBytes?: number;
  /** Default: the disk's room. */
  readonly maxFileStoreBytes?: number;
  /** No file may grow beyond it, until the server is restarted: what is written there fails. In steps of 512. */
  readonly maxFileBytes?: number;
};

/**
 * Lends a real nats-server with JetStream and an empty store, for one test or one test file.
 *
 * Nobody else uses it until it is disposed: `await using nats = await startNats();`. In a test run, disposing it
 * deletes its streams and keeps it for the next caller of the same process; a server with options, or one that was killed and not
 * restarted, ends.
 */
export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  const isPlain = Object.values(options).every((value) => value === undefined);
  if (!isPlain || process.env[TEST_NATS_WAY] === undefined) return startServer(options);
  return lend(IDLE.pop() ?? (await startServer({})));
}

/** Emptied servers of this process, each free for the next caller; what ends them is the end of the process. */
const IDLE: TestNats[] = [];

function lend(server: TestNats): TestNats {
  let runs = true;
  let isReturned = false;
  return {
    url: server.url,
    async kill() {
      runs = false;
      await server.kill();
    },
    async restart() {
      await server.restart();
      runs = true;
    },
    async [Symbol.asyncDispose]() {
      if (isReturned) return;
      isReturned = true;
      if (!runs) return server[Symbol.asyncDispose]();
      await empty(server.url);
      IDLE.push(server);
    },
  };
}

/** Deletes every stream, and so every bucket and consumer. */
async function empty(url: string): Promise<void> {
  const connection = await connect({ servers: url });
  try {
    const manager = await jetstreamManager(connection);
    for await (const name of manager.streams.names()) await manager.streams.delete(name);
  } finally {
    await connection.close();
  }
}

async function startServer(options: TestNatsOptions): Promise<TestNats> {
  const way = await wayOfThisRun();
  noteStart("nats-server");
  if (way.kind === "container") return startNatsContainer({ ...options, image: way.image });

  const storeDir = await mkdtemp(path.join(way.storesDir, "nats-"));
  const start = (bin: string, port?: number) =>
    startNatsServer({ ...options, bin, storeDir, port, endsWithParent: true, log: () => undefined });
  const { maxFileBytes } = options;
  let server: NatsServer = await start(
    maxFileBytes === undefined ? way.bin : await limitedServer({ bin: way.bin, storeDir, maxFileBytes }),
  );
  return {
    url: server.url,
    kill: () => server.kill(),
    async restart() {
      await server.stop();
      noteStart("nats-server restart");
      server = await start(way.bin, server.port);
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      await rm(storeDir, { recursive: true, force: true });
    },
  };
}

/** A command that runs the server under a limit of the size of its files. */
async function limitedServer({
  bin,
  storeDir,
  maxFileBytes,
}: {
  bin: string;
  storeDir: string;
  maxFileBytes: number;
}): Promise<string> {
  const command = path.join(storeDir, "limited-nats-server");
  const lines = ["#!/bin/sh", limitOfFiles(maxFileBytes), `exec "${bin}" "$@"`, ""];
  await writeFile(command, lines.join("\n"), { mode: 0o755 });
  return command;
}

/** Outside a test run, as in an example or a benchmark, there is no decision to read. */
async function wayOfThisRun(): Promise<TestNatsWay> {
  const decided = process.env[TEST_NATS_WAY];
  if (decided !== undefined) return TestNatsWay.parse(JSON.parse(decided));
  return chooseWay({
    env: { TEST_NATS: "process", ...process.env },
    storesDir: os.tmpdir(),
    say: () => undefined,
  });
}
