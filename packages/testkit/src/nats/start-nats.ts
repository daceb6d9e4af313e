import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type NatsServer, startNatsServer } from "@planwright/launcher/nats";
import { chooseWay } from "./choose-way.ts";
import { startNatsContainer } from "./start-nats-container.ts";
import { TEST_NATS_WAY, TestNatsWay } from "./test-nats.ts";

export type TestNats = AsyncDisposable & {
  readonly url: string;
  /** Ends the server at once, as a crash would; what it stored stays. */
  kill(): Promise<void>;
  /** Ends the server if it runs, and starts it again on the same port and store. */
  restart(): Promise<void>;
};

export type TestNatsOptions = {
  /** Every acknowledged message is on the disk; slow. */
  readonly syncAlways?: boolean;
  /** Default 8 MiB. */
  readonly maxPayloadBytes?: number;
  /** Default: the disk's room. */
  readonly maxFileStoreBytes?: number;
};

/**
 * Starts one real nats-server with JetStream and an empty store, for one test or one test file.
 *
 * Disposing it ends the server and removes the store: `await using nats = await startNats();`.
 */
export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  const way = await wayOfThisRun();
  if (way.kind === "container") return startNatsContainer({ ...options, image: way.image });

  const storeDir = await mkdtemp(path.join(way.storesDir, "nats-"));
  const start = (port?: number) =>
    startNatsServer({ ...options, bin: way.bin, storeDir, port, log: () => undefined });
  let server: NatsServer = await start();
  return {
    url: server.url,
    kill: () => server.kill(),
    async restart() {
      await server.stop();
      server = await start(server.port);
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      await rm(storeDir, { recursive: true, force: true });
    },
  };
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
