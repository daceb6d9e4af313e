/**
 * Stops a server that has outlived the process that started it. Two servers on one store would corrupt it, so the old one
 * has to end first. A process id alone does not identify it, because the operating system reuses ids.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { natsFiles } from "./nats-config.ts";

const run = promisify(execFile);
const STOP_GRACE_MS = 10_000;
const POLL_MS = 20;

const PortsFile = z.object({ nats: z.array(z.url()).min(1) });

/** Stops the server that is running on `storeDir` according to its files, and removes those files. */
export async function stopLeftoverServer({
  storeDir,
  log,
  signal,
}: {
  storeDir: string;
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const files = natsFiles(storeDir);
  const pid = Number(await readFile(files.pid, "utf8").catch(() => ""));
  const isOurs = async () => pid > 0 && (await commandLine(pid)).includes(files.config);
  if (await isOurs()) {
    log(`stopping a nats-server that was left running by an earlier start (process ${pid})`);
    await end({ pid, isRunning: isOurs, signal });
  }
  const ports = await portsFiles(storeDir);
  await Promise.all([files.pid, ...ports].map((file) => rm(file, { force: true })));
}

/** Returns the port that a server reports, or undefined while it is not listening. */
export async function readPort({
  storeDir,
  pid,
}: {
  storeDir: string;
  pid: number;
}): Promise<number | undefined> {
  const file = (await portsFiles(storeDir)).find((name) => name.endsWith(`_${pid}.ports`));
  const text = file === undefined ? "" : await readFile(file, "utf8").catch(() => "");
  if (!text.trimEnd().endsWith("}")) return undefined; // Absent, or still being written.
  const [url = ""] = PortsFile.parse(JSON.parse(text)).nats;
  return Number(new URL(url).port);
}

async function portsFiles(storeDir: string): Promise<string[]> {
  const names = await readdir(storeDir).catch(() => []);
  return names.filter((name) => name.endsWith(".ports")).map((name) => path.join(storeDir, name));
}

/** Returns a process's command line; empty when the process does not exist or is a zombie. */
async function commandLine(pid: number): Promise<string> {
  const proc = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  if (proc !== undefined) return proc;
  if (process.platform === "linux") return "";
  const { stdout } = await run("ps", ["-o", "command=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout;
}

async function end({
  pid,
  isRunning,
  signal,
}: {
  pid: number;
  isRunning: () => Promise<boolean>;
  signal: AbortSignal | undefined;
}): Promise<void> {
  const deadline = AbortSignal.timeout(STOP_GRACE_MS);
  send(pid, "SIGTERM");
  while (await isRunning()) {
    if (deadline.aborted) send(pid, "SIGKILL");
    await delay(POLL_MS, undefined, { signal });
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const gone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!gone) throw error;
  }
}
