import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { readPort, stopLeftoverServer } from "./leftover-server.ts";
import { type NatsConfig, natsFiles, renderNatsConfig } from "./nats-config.ts";

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 5;
const STOP_GRACE_MS = 10_000;
const STDERR_CHARS_MAX = 20_000;

export type NatsServerOptions = NatsConfig & {
  readonly bin: string;
  /** Kill the server when this process ends for any reason; default: it keeps running, and {@link stopLeftoverServer} finds it. */
  readonly endsWithParent?: boolean | undefined;
  readonly log: (line: string) => void;
  /** Stops waiting for the server, and stops the server. */
  readonly signal?: AbortSignal | undefined;
};

export type NatsServer = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process has ended for any reason. Never rejects. */
  readonly exited: Promise<void>;
  /** Kills the process immediately, like a crash. */
  kill(): Promise<void>;
  /** Lets the process close its store and exit. Can be called repeatedly. */
  stop(): Promise<void>;
};

/**
 * Starts a nats-server with its store in `storeDir`, and waits until it accepts connections.
 *
 * The server is in its own process group: Ctrl-C in the terminal does not reach it, so that services can drain first. Stops
 * a server that an earlier, killed process left running on the same store.
 *
 * @throws {Error} When it does not start, with its own errors, such as a port in use or a damaged store.
 */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const { bin, storeDir, log, signal } = options;
  await mkdir(storeDir, { recursive: true });
  await stopLeftoverServer({ storeDir, log, signal });
  const files = natsFiles(storeDir);
  await writeFile(files.config, renderNatsConfig(options), { mode: 0o600 });

  const child = spawnServer(bin, ["-c", files.config], options);
  const exited = exitOf(child);
  const stderr = collect(child);
  try {
    const port = await portWhenReady({ child, storeDir, signal });
    child.stderr?.destroy();
    child.unref();
    return serverOf({ child, exited, port });
  } catch (error) {
    child.kill("SIGKILL");
    await exited;
    const reason = (await lastErrors(files.log)) || stderr().trim();
    throw new Error(`nats-server did not start: ${reason || String(error)}`, { cause: error });
  }
}

/**
 * A shell that starts a reader of its standard input and then becomes the server. The pipe closes when this process is gone,
 * even when it was killed.
 */
const TIED_TO_PARENT =
  'exec 3<&0; (cat <&3 >/dev/null; kill -9 $$) 2>/dev/null & exec "$0" "$@" 3<&- </dev/null';

function spawnServer(
  bin: string,
  args: readonly string[],
  { endsWithParent = false }: NatsServerOptions,
): ChildProcess {
  if (!endsWithParent) return spawn(bin, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  const child = spawn("/bin/sh", ["-c", TIED_TO_PARENT, bin, ...args], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  if (child.stdin instanceof Socket) child.stdin.unref();
  child.once("exit", () => child.stdin?.destroy());
  return child;
}

function serverOf({
  child,
  exited,
  port,
}: {
  child: ChildProcess;
  exited: Promise<void>;
  port: number;
}): NatsServer {
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.ref();
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_GRACE_MS);
    await exited;
    clearTimeout(late);
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    exited,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}

/** The server writes its ports file once its store is read and all its listeners are open. */
async function portWhenReady({
  child,
  storeDir,
  signal,
}: {
  child: ChildProcess;
  storeDir: string;
  signal: AbortSignal | undefined;
}): Promise<number> {
  await once(child, "spawn");
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  while (child.exitCode === null && child.signalCode === null) {
    const port = await readPort({ storeDir, pid: child.pid ?? 0 });
    if (port !== undefined) return port;
    await delay(READY_POLL_MS, undefined, { signal: stop });
  }
  throw new Error(`it exited with ${child.exitCode ?? child.signalCode}`);
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
}

function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    if (text.length < STDERR_CHARS_MAX) text += chunk.toString();
  });
  return () => text;
}

async function lastErrors(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  const errors = text.split("\n").filter((line) => /\[(ERR|FTL)\]/.test(line));
  return errors
    .slice(-3)
    .map((line) => line.replace(/^.*?\[(ERR|FTL)\] /, ""))
    .join("; ");
}
