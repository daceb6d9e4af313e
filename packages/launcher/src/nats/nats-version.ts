import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 5_000;

/** The oldest supported nats-server: older ones accept schedules and expectations, but ignore them. */
export const NATS_SERVER_VERSION_MIN = "2.14.0";

/** Returns whether a version such as `2.14.3` is at least {@link NATS_SERVER_VERSION_MIN}. */
export function isNewEnough(version: string): boolean {
  return compareVersions(version, NATS_SERVER_VERSION_MIN) >= 0;
}

/** Compares versions of three numbers: negative when `left` is older. */
export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

/** Returns the version of a nats-server executable; undefined when it does not run on this machine or is another program. */
export async function versionOf(bin: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    await access(bin, constants.X_OK);
    const { stdout } = await run(bin, ["--version"], { timeout: VERSION_TIMEOUT_MS, signal });
    return /^nats-server: v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
