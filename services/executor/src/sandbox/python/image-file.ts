/**
 * The image that Python programs start from, as a file: made once for each version of what is in it, by whoever
 * needs it first, and kept in the user's cache folder.
 */
import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { CODE_PATHS } from "../../child-pool/code-paths.ts";
import { createChildPool } from "../../child-pool/create-child-pool.ts";

/** Seconds on a quiet machine. */
const BUILD_WITHIN_MS = 300_000;
const BUILD_MEMORY_MB = 1_024;

const LIBRARIES = ["brython/package.json", "quickjs-wasi/package.json"];

/** Where images are kept: children may read it. */
export const IMAGE_FOLDER = path.join(os.homedir(), ".cache", "planwright", "python");

const Image = z.instanceof(Uint8Array);

let found: Promise<string> | undefined;

/**
 * The path of the image; makes it when it is not there.
 *
 * @throws {TransientError} When it could not be made this time.
 */
export function findImage(): Promise<string> {
  found ??= findOrBuild().catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return found;
}

async function findOrBuild(): Promise<string> {
  const file = path.join(IMAGE_FOLDER, `${await versionOfImage()}.img`);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  const image = await build();
  await mkdir(IMAGE_FOLDER, { recursive: true });
  // Whoever reads it finds a whole one, also when two make it at a time.
  const half = `${file}.${randomUUID()}`;
  await writeFile(half, image, { mode: 0o600 });
  await rename(half, file);
  return file;
}

/** Names what the image is made of: our sources beside this file, and the libraries' versions. */
async function versionOfImage(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(import.meta.dirname, { recursive: true })).sort()) {
    if (!/\.(ts|py)$/.test(name) || name.endsWith(".test.ts")) continue;
    hash.update(name).update(await readFile(path.join(import.meta.dirname, name)));
  }
  const { resolve } = createRequire(import.meta.url);
  for (const library of LIBRARIES) hash.update(await readFile(resolve(library)));
  return hash.digest("hex").slice(0, 32);
}

async function build(): Promise<Uint8Array> {
  using pool = createChildPool({
    entry: new URL("./image-child.ts", import.meta.url),
    readablePaths: CODE_PATHS,
    memoryMb: BUILD_MEMORY_MB,
    size: 1,
  });
  const signal = new AbortController().signal;
  return Image.parse(await pool.call(null, { signal, timeoutMs: BUILD_WITHIN_MS }));
}
