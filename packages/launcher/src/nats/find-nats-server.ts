/**
 * Finds a nats-server: the configured one, one on the PATH, one downloaded earlier, and only then the network. Nothing is
 * installed on the machine: downloads stay in a cache folder.
 */
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fetchFromApt, reasonOf } from "./fetch-from-apt.ts";
import { fetchRelease, RELEASE_VERSION } from "./fetch-release.ts";
import { compareVersions, isNewEnough, NATS_SERVER_VERSION_MIN, versionOf } from "./nats-version.ts";

const DEBIAN = { packageName: "nats-server", executable: "usr/sbin/nats-server" };
const CACHED_NAME = /^nats-server-\d+\.\d+\.\d+$/;

export type FoundNatsServer = {
  /** Absolute path, or as `NATS_SERVER_BIN` gives it. */
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
