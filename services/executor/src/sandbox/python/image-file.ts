/**
 * The image that Python programs start from, as a file: built once per version of its contents by the process that needs it
 * first, by one process at a time, and kept in the user's cache folder.
 */
import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { CODE_PATHS } from "../../child-pool/code-paths.ts";
import { createChildPool } from "../../child-pool/create-child-pool.ts";
import type { Wall } from "../../wall/wall.ts";

/** It takes seconds on an idle machine. */
const BUILD_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 100;
const TOUCH_EVERY_MS = 1_000;
const LEFT_AFTER_MS = 30_000;
const BUILD_MEMORY_MB = 1_024;

const LIBRARIES = ["brython/package.json", "quickjs-wasi/package.json"];

/** Where images are kept; children can read it. */
export const IMAGE_FOLDER = path.join(os.homedir(), ".cache", "planwright", "python");

const Image = z.instanceof(Uint8Array);

let found: Promise<string> | undefined;

/**
 * The path of the image; builds it if it does not exist.
 *
 * @param wall - The wall around the process that builds it; none by default.
 * @throws {TransientError} When it could not be built this time.
 */
export function findImage(wall?: Wall): Promise<string> {
  found ??= findOrBuild(wall).catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return found;
}

async function findOrBuild(wall: Wall | undefined): Promise<string> {
  const file = path.join(IMAGE_FOLDER, `${await versionOfImage()}.img`);
  const lock = `${file}.lock`;
  await mkdir(IMAGE_FOLDER, { recursive: true });
  while (!(await isThere(file))) {
    if (await take(lock)) await holding(lock, () => buildInto(file, wall));
    else await waitFor(lock);
  }
  return file;
}

/** Readers always find a complete file. */
async function buildInto(file: string, wall: Wall | undefined): Promise<void> {
  const half = `${file}.${randomUUID()}`;
  await writeFile(half, await build(wall), { mode: 0o600 });
  await rename(half, file);
}

/** Whether this process is the one that builds the image now. */
async function take(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Keeps touching the lock while the work is in progress: a process that is killed leaves its lock behind. */
async function holding(lock: string, work: () => Promise<void>): Promise<void> {
  const touching = setInterval(
    () => void utimes(lock, new Date(), new Date()).catch(() => undefined),
    TOUCH_EVERY_MS,
  );
  try {
    await work();
  } finally {
    clearInterval(touching);
    await rm(lock, { force: true });
  }
}

/** Waits a moment; removes a lock that no process holds any more. */
async function waitFor(lock: string): Promise<void> {
  const touched = await stat(lock).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
  if (Date.now() - touched > LEFT_AFTER_MS) await rm(lock, { force: true });
  else await delay(LOOK_EVERY_MS);
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Derives the version from the image's ingredients: our sources beside this file, and the libraries' versions. */
async function versionOfImage(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(import.meta.dirname, { recursive: true })).sort()) {
    if (!/\.(ts|js|py)$/.test(name) || name === path.basename(import.meta.filename)) continue;
    hash.update(name).update(await readFile(path.join(import.meta.dirname, name)));
  }
  const { resolve } = createRequire(import.meta.url);
  for (const library of LIBRARIES) hash.update(await readFile(resolve(library)));
  return hash.digest("hex").slice(0, 32);
}

async function build(wall: Wall | undefined): Promise<Uint8Array> {
  using pool = createChildPool({
    entry: new URL("./image-child.ts", import.meta.url),
    readablePaths: CODE_PATHS,
    memoryMb: BUILD_MEMORY_MB,
    wall,
    size: 1,
  });
  const signal = new AbortController().signal;
  return Image.parse(await pool.call(null, { signal, timeoutMs: BUILD_WITHIN_MS }));
}
