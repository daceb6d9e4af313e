import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { stopLeftoverServer } from "@planwright/launcher/nats";
import { TEST_RUN_STARTS } from "../run/test-run.ts";
import { chooseWay } from "./choose-way.ts";
import { TEST_NATS_WAY } from "./test-nats.ts";

/**
 * Finds the nats-server of a test run, once for all its projects; afterwards stops the servers that its processes have kept. The
 * processes record what they start; the last-line reporter prints the totals.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[TEST_NATS_WAY] !== undefined) return undefined;
  const runDir = await mkdtemp(path.join(os.tmpdir(), "planwright-test-"));
  const starts = path.join(runDir, "starts");
  await writeFile(starts, "");
  process.env[TEST_RUN_STARTS] = starts;
  const say = (line: string) => console.log(line);
  const way = await chooseWay({ env: process.env, storesDir: runDir, say });
  process.env[TEST_NATS_WAY] = JSON.stringify(way);
  // Processes that the tests start like a user find the same server without another search.
  if (way.kind === "process") process.env["NATS_SERVER_BIN"] = way.bin;
  return async () => {
    for (const name of await readdir(runDir)) {
      if (!name.startsWith("nats-")) continue;
      await stopLeftoverServer({ storeDir: path.join(runDir, name), log: () => undefined });
    }
    // A service that is about to end may still write to it.
    await rm(runDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}
