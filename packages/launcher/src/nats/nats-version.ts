import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 5_000;

/** The oldest nats-server that works: older ones accept schedules and expectations and ignore them. */
export const NATS_SERVER_VERSION_MIN = "2.14.0";

/** Whether a version such as `2.14.3` is at least {@link NATS_SERVER_VERSION_MIN}. */
export function isNewEnough(version: string): boolean {
  return compareVersions(version, NATS_SERVER_VERSION_MIN) >= 0;
}

/** Orders versions of three numbers: negative when `left` is the older one. */
export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

/** The version of a nats-server executable, or undefined when it does not run here or is something else. */
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
