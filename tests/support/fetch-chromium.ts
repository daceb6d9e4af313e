/**
 * Chromium from the npm registry, for machines that have none: the one package that carries it without a
 * separate download. Fetched once into the cache folder; nothing is installed on the machine.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

const run = promisify(execFile);
const PACKAGE = "@sparticuz/chromium";
const VERSION = "147.0.0";
const SHA512 = "4ZKeAQQa8up2mt675qSitztLdbQrlf8BKdC5naeap+5Mv1OV1OlJdPoU+EJC/p5sQUJUQmN4r+q5+EhaaOUHpQ==";
const FETCH_TIMEOUT_MS = 180_000;

export type FetchedChromium = {
  readonly executablePath: string;
  /** The libraries that it brings, for machines without them: to be set as `LD_LIBRARY_PATH`. */
  readonly libraryPath: string;
};

/**
 * @param cache - Where it stays.
 * @throws {Error} On another system than Linux on x64, without npm or its registry, or when the package is
 *   not the one that was tried.
 */
export async function fetchChromium(cache: string): Promise<FetchedChromium> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`${PACKAGE} is for Linux on x64, this is ${process.platform} on ${process.arch}`);
  }
  const home = path.join(cache, `chromium-${VERSION}`);
  const found = {
    executablePath: path.join(home, "chromium"),
    libraryPath: path.join(home, "al2023", "lib"),
  };
  if (existsSync(found.executablePath)) return found;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, "chromium-incoming-"));
  try {
    const packed = await download(work);
    await run("tar", ["-xzf", packed, "-C", work]);
    const unpacked = path.join(work, "unpacked");
    const brought = path.join(work, "package", "bin");
    await unpackTar(path.join(brought, "al2023.tar.br"), path.join(unpacked, "al2023"));
    await unpackTar(path.join(brought, "fonts.tar.br"), path.join(unpacked, "fonts"));
    await unpackTar(path.join(brought, "swiftshader.tar.br"), unpacked);
    const binary = createWriteStream(path.join(unpacked, "chromium"), { mode: 0o755 });
    await pipeline(createReadStream(path.join(brought, "chromium.br")), createBrotliDecompress(), binary);
    // The rename makes it appear whole; another test run may have been faster.
    await rename(unpacked, home).catch((error: unknown) => {
      if (!existsSync(found.executablePath)) throw error;
    });
    return found;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(work: string): Promise<string> {
  const args = ["pack", "--silent", "--pack-destination", work, `${PACKAGE}@${VERSION}`];
  const { stdout } = await run("npm", args, { cwd: work, timeout: FETCH_TIMEOUT_MS });
  const file = path.join(work, path.basename(stdout.trim()));
  const digest = createHash("sha512")
    .update(await readFile(file))
    .digest("base64");
  if (digest !== SHA512) throw new Error(`${PACKAGE}@${VERSION}: wanted sha512 ${SHA512}, got ${digest}`);
  return file;
}

async function unpackTar(archive: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const tar = path.join(into, "incoming.tar");
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(tar));
  await run("tar", ["-xf", tar, "-C", into]);
  await rm(tar);
}
