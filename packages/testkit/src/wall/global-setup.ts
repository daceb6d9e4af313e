/**
 * Finds bubblewrap for a test run, once for all its projects, and prints whether the sandbox ("wall") of child processes is
 * tested. The product never downloads it; the tests do, so that they do not depend on the machine.
 */
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { findWall, type FoundWall } from "@planwright/executor/wall";
import { cacheDir, fetchFromApt, reasonOf } from "@planwright/launcher/nats";

/** Set once the way is chosen. */
const CHOSEN = "TEST_WALL";
/** The executor's own setting, so that processes started by the tests find the same one. */
const BIN = "BWRAP_BIN";
const DEBIAN = { packageName: "bubblewrap", executable: "usr/bin/bwrap" };
const FETCH_MS = 240_000;

/** Sets BWRAP_BIN for the processes of this run, if it was not set and a sandbox is available. */
export default async function setup(): Promise<void> {
  if (process.env[CHOSEN] !== undefined) return;
  const { found, source } = await look(process.env);
  process.env[CHOSEN] = "wall" in found ? "stands" : "missing";
  if ("wall" in found) {
    process.env[BIN] = found.wall.bin;
    console.log(`wall around child processes: bubblewrap ${found.wall.version} (${source})`);
  } else console.log(`wall around child processes: NOT TESTED (${found.missing})`);
}

async function look(env: NodeJS.ProcessEnv): Promise<{ found: FoundWall; source: string }> {
  const present = await findWall({ bin: env[BIN], searchPath: env["PATH"] });
  if ("wall" in present || env[BIN] || process.platform !== "linux") {
    return { found: present, source: env[BIN] ? BIN : "PATH" };
  }
  const kept = path.join(cacheDir(env), "bwrap");
  const cached = await findWall({ bin: kept });
  if ("wall" in cached) return { found: cached, source: "cache" };
  try {
    await fetchInto(kept);
    return { found: await findWall({ bin: kept }), source: "apt" };
  } catch (error) {
    const missing = `${present.missing}; fetching it: ${reasonOf(error)}`;
    return { found: { missing }, source: "none" };
  }
}

/** Downloads the package of the machine's own Debian release, because its libraries are those of this machine. */
async function fetchInto(kept: string): Promise<void> {
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile("/etc/os-release", "utf8"))?.[1];
  if (suite === undefined) throw new Error("not a Debian release");
  const work = await mkdtemp(path.join(os.tmpdir(), "planwright-bwrap-"));
  try {
    // apt reads the folder as another user when it runs as root.
    await chmod(work, 0o755);
    const signal = AbortSignal.timeout(FETCH_MS);
    const fetched = await fetchFromApt({ ...DEBIAN, suite, work: path.join(work, suite), signal });
    await mkdir(path.dirname(kept), { recursive: true });
    // In one rename, because another run may do the same.
    const incoming = `${kept}.${process.pid}`;
    await copyFile(fetched, incoming);
    await chmod(incoming, 0o755);
    await rename(incoming, kept);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
