/** Decides by the setting SANDBOX_WALL whether child processes run behind a wall, and logs the decision. */
import { integer, oneOf, text, type Logger } from "@planwright/shared/service";
import { PermanentError, describeError } from "@planwright/shared/errors";
import { type Wall, startBehind } from "./wall.ts";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { ARCHITECTURES, type FilteredArch } from "./system-call-filter.ts";

export const wallConfig = {
  SANDBOX_WALL: oneOf(["auto", "require", "off"]).default("auto").meta({
    description:
      "Whether bubblewrap isolates the child processes that handle code, queries and documents (docs/security.md). `auto`: if it works on this host. `require`: the executor does not start without it. `off`: never. With several tenants, `auto` means `require`.",
  }),
  BWRAP_BIN: text({ wanted: "the path of an executable" }).optional().meta({
    description: "Path of `bwrap` (bubblewrap 0.8 or newer). Default: `bwrap` on the PATH.",
  }),
  PLANWRIGHT_TENANTS: integer({ min: 1, max: 1_000_000, unit: "tenants" }).default(1).meta({
    description:
      "Number of tenants in the system. `npm start` counts the tenants in PLANWRIGHT_API_KEYS, and uses 2 if the tenant comes from a claim of an identity provider. Set it for executors that you start in another way.",
  }),
};

export type WallSettings = {
  readonly SANDBOX_WALL: "auto" | "require" | "off";
  readonly BWRAP_BIN?: string | undefined;
  readonly PLANWRIGHT_TENANTS: number;
};

/** A wall, or none; with a description for reports. */
export type ChosenWall = { readonly wall: Wall | undefined; readonly about: string };

/**
 * Finds the wall that the settings require.
 *
 * @param deps.find - Looks for one on this machine.
 * @throws {PermanentError} `no_wall` when there is none, and the settings or several tenants require one.
 */
export async function openWall(
  { SANDBOX_WALL: choice, BWRAP_BIN: bin, PLANWRIGHT_TENANTS: tenants }: WallSettings,
  { log, find = findOnPath }: { readonly log: Logger; readonly find?: (bin?: string) => Promise<FoundWall> },
): Promise<ChosenWall> {
  if (choice === "off") {
    log.warn("child processes run without a wall: SANDBOX_WALL=off");
    return { wall: undefined, about: "SANDBOX_WALL=off" };
  }
  const found = await find(bin);
  if ("wall" in found) {
    const about = `bubblewrap ${found.wall.version}`;
    log.info({ wall: about }, "child processes run behind a wall: no network, no files");
    return { wall: found.wall, about };
  }
  if (choice === "require" || tenants > 1) throw noWall(found.missing, tenants);
  const why = { why: found.missing };
  if (process.platform === "linux") {
    log.warn(why, "child processes run without a wall: install the package bubblewrap (docs/security.md)");
  } else log.info(why, "child processes run without a wall");
  return { wall: undefined, about: found.missing };
}

function findOnPath(bin?: string): Promise<FoundWall> {
  return findWall({ bin, searchPath: process.env["PATH"] });
}

function noWall(missing: string, tenants: number): PermanentError {
  const wanted =
    tenants > 1 ? `the system has ${tenants} tenants, whose code must be kept apart` : "SANDBOX_WALL=require";
  return new PermanentError(
    `${wanted}, but child processes would run without a wall: ${missing}. Install the package bubblewrap and permit user namespaces (docs/security.md), or set SANDBOX_WALL=off to run without one`,
    { code: "no_wall" },
  );
}

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;
/** The oldest version with every option used here, including `--size`. */
const VERSION_MIN = [0, 8] as const;
const STDERR_CHARS_MAX = 500;

/** The relevant part of a report about this process. */
const Loaded = z.object({ sharedObjects: z.array(z.string()) });

/** A wall, or why there is none, as a clause. */
export type FoundWall = { readonly wall: Wall } | { readonly missing: string };

/**
 * Looks for bubblewrap and starts Node in it once: the kernel, a container or a policy may forbid what it needs, which only an
 * attempt shows.
 *
 * @param options.bin - The executable; the `bwrap` in `searchPath` by default.
 * @param options.searchPath - Folders, as in the variable PATH.
 */
export async function findWall({
  bin: named,
  searchPath = "",
}: {
  readonly bin?: string | undefined;
  readonly searchPath?: string | undefined;
}): Promise<FoundWall> {
  if (process.platform !== "linux") return { missing: `there is none for ${process.platform}` };
  if (!isFiltered(process.arch)) return { missing: `there is none for the processor ${process.arch}` };
  const bin = named === undefined ? await onPath(searchPath) : path.resolve(named);
  if (bin === undefined) return { missing: "bubblewrap is not installed" };
  try {
    const version = await versionOf(bin);
    if (!isNewEnough(version)) {
      return { missing: `bubblewrap ${version} is too old, ${VERSION_MIN.join(".")} is needed` };
    }
    const wall = { bin, version, arch: process.arch, runtime: runtimeFiles() };
    const fault = await faultOf(wall);
    return fault === undefined ? { wall } : { missing: `bubblewrap ${version} does not work here: ${fault}` };
  } catch (error) {
    return { missing: `${bin} does not run: ${describeError(error)}` };
  }
}

function isFiltered(arch: string): arch is FilteredArch {
  return arch in ARCHITECTURES;
}

async function onPath(searchPath: string): Promise<string | undefined> {
  // A relative entry would depend on the working directory.
  for (const folder of searchPath.split(path.delimiter).filter((name) => path.isAbsolute(name))) {
    const bin = path.join(folder, "bwrap");
    if (await isExecutable(bin)) return bin;
  }
  return undefined;
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf(bin: string): Promise<string> {
  const { stdout } = await run(bin, ["--version"], { timeout: TIMEOUT_MS, env: {} });
  const version = /(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`expected a version, got ${stdout.trim().slice(0, 100)}`);
  return version;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]);
}

/** Node, and the libraries that the loader has loaded into this process. */
function runtimeFiles(): string[] {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  const { excludeNetwork = false } = report;
  // Otherwise the report does reverse DNS lookups.
  report.excludeNetwork = true;
  const { sharedObjects } = Loaded.parse(report.getReport());
  report.excludeNetwork = excludeNetwork;
  return [process.execPath, ...new Set(sharedObjects.filter((file) => path.isAbsolute(file)))];
}

/** Why no child can start behind the wall; undefined when one can. */
async function faultOf(wall: Wall): Promise<string | undefined> {
  const child = startBehind(wall, { args: ["--version"], readablePaths: [] });
  const late = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said = (said + String(chunk)).slice(-STDERR_CHARS_MAX);
  });
  try {
    await once(child, "close");
  } finally {
    clearTimeout(late);
  }
  if (child.exitCode === 0) return undefined;
  return said.trim() || `it exited with ${child.exitCode ?? child.signalCode}`;
}
