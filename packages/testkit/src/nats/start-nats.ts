import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { type NatsServer, startNatsServer } from "@planwright/launcher/nats";
import { reloadUsers } from "@planwright/launcher/credentials";
import { connectNats, type NatsAccess } from "@planwright/shared/access";
import { noteStart } from "../run/test-run.ts";
import { chooseWay } from "./choose-way.ts";
import { limitOfFiles } from "./limit-of-files.ts";
import type { ServiceName } from "../system/service-names.ts";
import { createLock } from "./create-lock.ts";
import { startNatsContainer } from "./start-nats-container.ts";
import { TEST_NATS_WAY, TestNatsWay } from "./test-nats.ts";

export type TestNats = AsyncDisposable & {
  /** For a locked server, with the login of a user with all permissions. */
  readonly url: string;
  /** The same user's access, with the authority of the server's certificate if it has one. */
  readonly access: NatsAccess;
  /** The settings with which a service logs in; for a worker, with the pools it serves. */
  settingsFor(service: ServiceName, pools?: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Ends the server immediately, like a crash; its store is kept. */
  kill(): Promise<void>;
  /** Ends the server if it is running, and starts it again on the same port and store, without a file size limit. */
  restart(): Promise<void>;
};

export type TestNatsOptions = {
  /** Syncs every acknowledged message to the disk; slow. */
  readonly syncAlways?: boolean;
  /** Default 8 MiB. */
  readonly maxPayloadBytes?: number;
  /** Default: the available disk space. */
  readonly maxFileStoreBytes?: number;
  /** Maximum size of each file until the server is restarted; larger writes fail. A multiple of 512. */
  readonly maxFileBytes?: number;
  /** Added to the server's configuration, in its own syntax: `authorization`, `tls`. It can refer to files of this machine. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Admits only the users of `npm start`, with the same allow-lists. */
  readonly locked?: boolean;
};

/**
 * Lends a real nats-server with JetStream and an empty store, for one test or one test file.
 *
 * No other caller uses it until it is disposed: `await using nats = await startNats();`. In a test run, disposing it deletes its
 * streams and keeps it for the next caller in the same process that needs the same users. A server with other options,
 * or one that was killed and not restarted, ends when it is disposed.
 */
export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  if (process.env[TEST_NATS_WAY] === undefined) return startServer(options);
  const { locked = false, ...others } = options;
  const isPlain = Object.values(others).every((value) => value === undefined);
  const idle = isPlain ? (locked ? IDLE.locked : IDLE.open) : undefined;
  return lend(idle?.pop() ?? (await startInPlace(options)), idle);
}

/** Emptied servers of this process, each available to the next caller; they end with the process. */
const IDLE: Readonly<Record<"open" | "locked", TestNats[]>> = { open: [], locked: [] };
/** Number of ended servers of this process that have not been replaced. */
let vacancies = 0;

/**
 * Replaces a server that has ended or that is idle with other users, so that a process never has more servers
 * than its tests use simultaneously.
 */
async function startInPlace(options: TestNatsOptions): Promise<TestNats> {
  const unfit = vacancies > 0 ? undefined : (IDLE.open.pop() ?? IDLE.locked.pop());
  const isNew = vacancies === 0 && unfit === undefined;
  if (vacancies > 0) vacancies -= 1;
  await unfit?.[Symbol.asyncDispose]();
  noteStart(isNew ? "nats-server" : "nats-server restart");
  return startServer(options);
}

/** @param idle - Where it is kept once it is empty again; undefined if no other caller can use it. */
function lend(server: TestNats, idle: TestNats[] | undefined): TestNats {
  let runs = true;
  let isReturned = false;
  return {
    url: server.url,
    access: server.access,
    settingsFor: (service, pools) => server.settingsFor(service, pools),
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
      if (runs && idle !== undefined) {
        await empty(server.url);
        idle.push(server);
        return;
      }
      await server[Symbol.asyncDispose]();
      vacancies += 1;
    },
  };
}

/** Deletes every stream, and so every bucket and consumer. */
async function empty(url: string): Promise<void> {
  const connection = await connectNats({ url }, { name: "testkit" });
  try {
    const manager = await jetstreamManager(connection);
    for await (const name of manager.streams.names()) await manager.streams.delete(name);
  } finally {
    await connection.close();
  }
}

async function startServer(options: TestNatsOptions): Promise<TestNats> {
  const way = await wayOfThisRun();
  if (way.kind === "container") return startNatsContainer({ ...options, image: way.image });

  const storeDir = await mkdtemp(path.join(way.storesDir, "nats-"));
  const lock =
    options.locked === true
      ? createLock(path.join(storeDir, "users"), (users, more) => reloadUsers(storeDir, users, more))
      : undefined;
  const start = async (bin: string, port?: number) => {
    const settings =
      lock === undefined ? options.settings : { ...options.settings, ...(await lock.settings()) };
    const own = { bin, storeDir, port, endsWithParent: true, log: () => undefined };
    return startNatsServer({ ...options, settings, ...own });
  };
  const { maxFileBytes } = options;
  let server: NatsServer = await start(
    maxFileBytes === undefined ? way.bin : await limitedServer({ bin: way.bin, storeDir, maxFileBytes }),
  );
  const { url } = server;
  const ownUrl = lock?.withPassword(url) ?? url;
  return {
    url: ownUrl,
    access: { url: ownUrl },
    settingsFor: async (service, pools) => lock?.settingsFor(url, service, pools) ?? { NATS_URL: url },
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

/** Returns a command that runs the server with a file size limit. */
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

/** Outside a test run, such as in an example or a benchmark, there is no recorded decision. */
async function wayOfThisRun(): Promise<TestNatsWay> {
  const decided = process.env[TEST_NATS_WAY];
  if (decided !== undefined) return TestNatsWay.parse(JSON.parse(decided));
  return chooseWay({
    env: { TEST_NATS: "process", ...process.env },
    storesDir: os.tmpdir(),
    say: () => undefined,
  });
}
