import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { stopLeftoverServer } from "@planwright/launcher/nats";
import { chooseWay } from "./choose-way.ts";
import { TEST_NATS_WAY } from "./test-nats.ts";

/**
 * Finds the nats-server of a test run, once for all its projects, and afterwards stops what a killed test
 * process may have left running.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[TEST_NATS_WAY] !== undefined) return undefined;
  const storesDir = await mkdtemp(path.join(os.tmpdir(), "planwright-test-"));
  const say = (line: string) => console.log(line);
  const way = await chooseWay({ env: process.env, storesDir, say });
  process.env[TEST_NATS_WAY] = JSON.stringify(way);
  // What the tests start as a user would finds the same server without looking for it again.
  if (way.kind === "process") process.env["NATS_SERVER_BIN"] = way.bin;
  return async () => {
    for (const name of await readdir(storesDir)) {
      await stopLeftoverServer({ storeDir: path.join(storesDir, name), log: say });
    }
    await rm(storesDir, { recursive: true, force: true });
  };
}
