// The lock of the data folder: exactly one of several simultaneous starts gets it, even after its holder was killed.
import { createHash } from "node:crypto";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { lockDataFolder } from "../src/supervisor/lock-data-folder.ts";

it("gives the folder to one of several simultaneous starts until it is released", async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "planwright-lock-"));
  for (let round = 0; round < 3; round++) {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataFolder(dataDir)));
    const [lock, ...others] = tries.flatMap((tried) => (tried.status === "fulfilled" ? [tried.value] : []));
    expect(others).toEqual([]);
    const refusals = tries.flatMap((tried) => (tried.status === "rejected" ? [String(tried.reason)] : []));
    expect(refusals).toHaveLength(7);
    for (const refusal of refusals) {
      expect(refusal).toContain(
        `Planwright is already running on ${dataDir} (process ${process.pid}): use that one`,
      );
    }
    await lock?.[Symbol.asyncDispose]();
  }
  await rm(dataDir, { recursive: true });
});

it("takes over the lock of a killed process", async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "planwright-lock-"));
  const digest = createHash("sha256").update(await realpath(dataDir));
  await writeFile(path.join(os.tmpdir(), `planwright-${digest.digest("hex").slice(0, 16)}.sock`), "");
  await using _lock = await lockDataFolder(dataDir);
  await expect(lockDataFolder(dataDir)).rejects.toThrow("already running on");
  await rm(dataDir, { recursive: true });
});
