/**
 * Finds a nats-server: the configured one, one on the PATH, one downloaded earlier, and only then the network. Nothing is
 * installed on the machine: downloads stay in a cache folder.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { fetchFromApt, reasonOf } from "./fetch-from-apt.ts";
import { compareVersions, isNewEnough, NATS_SERVER_VERSION_MIN, versionOf } from "./nats-version.ts";

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 120_000;
const RELEASES_URL = "https://github.com/nats-io/nats-server/releases/download";

const RELEASE_VERSION = "2.14.5";

/** sha256 of the release archives, by platform and processor. */
const RELEASE_SHA256: Readonly<Record<string, string>> = {
  "linux-amd64": "5e3b603d47c447bda1f77f9ac16dbf91c90aac4ff3681f8fbbc7201e4ed99355",
  "linux-arm64": "673a98d3faa79dde3f9ebf16d6dfac36a5f694e7ad2015e4954dd7939c85cd4c",
};

const DEBIAN = { packageName: "nats-server", executable: "usr/sbin/nats-server" };
const CACHED_NAME = /^nats-server-\d+\.\d+\.\d+$/;

export type FoundNatsServer = {
  /** Absolute path, or the value of `NATS_SERVER_BIN`. */
  readonly bin: string;
  readonly version: string;
  readonly source: "NATS_SERVER_BIN" | "PATH" | "cache" | "release" | "apt";
};

export type FindOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Receives a line for each download attempt. */
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Finds a nats-server that is new enough; downloads one if there is none.
 *
 * Order of the search: `NATS_SERVER_BIN`, the PATH, the cache, the release archive (checked against a pinned
 * sha256), and on Debian the package of a newer suite, taken from the machine's own mirror.
 *
 * @throws {Error} When `NATS_SERVER_BIN` does not run or is too old, or when nothing was found; the message lists why each
 *   attempt failed.
 */
export async function findNatsServer(options: FindOptions): Promise<FoundNatsServer> {
  const { env, signal } = options;
  if (env["NATS_SERVER_BIN"]) return named(env["NATS_SERVER_BIN"], signal);
  return (await onPath(env, signal)) ?? (await inCache(env, signal)) ?? (await fetched(options));
}

/** Returns the folder for downloads: `PLANWRIGHT_CACHE`, otherwise `planwright` in the user's cache folder. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  if (env["PLANWRIGHT_CACHE"]) return path.resolve(env["PLANWRIGHT_CACHE"]);
  return path.join(env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"), "planwright");
}

async function named(bin: string, signal: AbortSignal | undefined): Promise<FoundNatsServer> {
  const version = await versionOf(bin, signal);
  if (version === undefined)
    throw new Error(
      `NATS_SERVER_BIN=${bin} is not a nats-server that runs on this machine: set it to one, or unset it`,
    );
  requireNewEnough(version, `NATS_SERVER_BIN=${bin}`);
  return { bin, version, source: "NATS_SERVER_BIN" };
}

async function onPath(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<FoundNatsServer | undefined> {
  for (const folder of (env["PATH"] ?? "").split(path.delimiter).filter((name) => name !== "")) {
    const bin = path.join(folder, "nats-server");
    const version = await versionOf(bin, signal);
    if (version !== undefined && isNewEnough(version)) return { bin, version, source: "PATH" };
  }
  return undefined;
}

async function inCache(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<FoundNatsServer | undefined> {
  const names = await readdir(cacheDir(env)).catch(() => []);
  for (const name of names
    .filter((entry) => CACHED_NAME.test(entry))
    .sort(compareVersions)
    .reverse()) {
    const bin = path.join(cacheDir(env), name);
    const version = await versionOf(bin, signal);
    if (version !== undefined && isNewEnough(version)) return { bin, version, source: "cache" };
  }
  return undefined;
}

async function fetched({ env, log, signal }: FindOptions): Promise<FoundNatsServer> {
  const work = await mkdtemp(path.join(os.tmpdir(), "planwright-nats-"));
  // apt reads the folder as another user when it runs as root.
  await chmod(work, 0o755);
  const ways = [
    { name: `release ${RELEASE_VERSION}`, source: "release", run: () => fetchRelease({ env, work, signal }) },
    ...["forky", "sid"].map((suite) => ({
      name: `the machine's apt mirror, suite ${suite}`,
      source: "apt" as const,
      run: () => fetchFromApt({ ...DEBIAN, suite, work: path.join(work, suite), signal }),
    })),
  ] as const;
  const failures: string[] = [];
  try {
    for (const way of ways) {
      log(`downloading nats-server: ${way.name}`);
      try {
        return { ...(await keep(await way.run(), env)), source: way.source };
      } catch (error) {
        signal?.throwIfAborted();
        failures.push(`  ${way.name}: ${reasonOf(error)}`);
      }
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  throw new Error(
    `found no nats-server ${NATS_SERVER_VERSION_MIN} or newer: set NATS_URL to a running one, set NATS_SERVER_BIN to an ` +
      `executable, or put nats-server on the PATH. Tried:\n${failures.join("\n")}`,
  );
}

/** Moves a downloaded executable into the cache with one rename, as another process may be doing the same. */
async function keep(from: string, env: NodeJS.ProcessEnv): Promise<{ bin: string; version: string }> {
  const version = await versionOf(from);
  if (version === undefined) throw new Error("the download does not run on this machine");
  requireNewEnough(version, "the download");
  await mkdir(cacheDir(env), { recursive: true });
  const bin = path.join(cacheDir(env), `nats-server-${version}`);
  const incoming = `${bin}.${process.pid}`;
  await copyFile(from, incoming);
  await chmod(incoming, 0o755);
  await rename(incoming, bin);
  return { bin, version };
}

function requireNewEnough(version: string, what: string): void {
  if (isNewEnough(version)) return;
  throw new Error(`${what} is nats-server ${version}, but ${NATS_SERVER_VERSION_MIN} or newer is required`);
}

/**
 * Downloads the release archive of nats-server and unpacks it.
 *
 * `NATS_SERVER_RELEASES` replaces the base URL of the archives, for machines that use a mirror. The archive must have the
 * pinned checksum.
 *
 * @returns The path of the executable, inside `work`.
 * @throws {Error} When there is no pinned archive for this machine, or the download or its sha256 fails.
 */
async function fetchRelease({
  env,
  work,
  signal,
}: {
  env: NodeJS.ProcessEnv;
  work: string;
  signal: AbortSignal | undefined;
}): Promise<string> {
  const target = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const wanted = RELEASE_SHA256[target];
  if (wanted === undefined) throw new Error(`no pinned archive for ${target}`);

  const name = `nats-server-v${RELEASE_VERSION}-${target}`;
  const url = `${env["NATS_SERVER_RELEASES"] || RELEASES_URL}/v${RELEASE_VERSION}/${name}.tar.gz`;
  const timeout = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  if (!response.ok) throw new Error(`${new URL(url).host} responded with ${response.status}`);

  const archive = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash("sha256").update(archive).digest("hex");
  if (sha256 !== wanted) throw new Error(`the archive's sha256 is ${sha256}, expected ${wanted}`);
  const file = path.join(work, "nats-server.tar.gz");
  await writeFile(file, archive);
  await run("tar", ["-xzf", file, "-C", work], { signal });
  return path.join(work, name, "nats-server");
}
