import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { BUNDLED_SERVICES, type ServiceName } from "./service-names.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** Like `npm start`: code compiled by one test is reused by the next. */
const COMPILE_CACHE = path.join(ROOT, "node_modules", ".cache", "node");
const READY_WITHIN_MS = 60_000;
const OUTPUT_CHARS_MAX = 200_000;

/** The running services of this process. When it exits normally, they are killed: no test waits for their remaining work. */
const alive = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

/**
 * Starts a script that runs services, from the repository's root. It ends immediately when this process exits normally.
 *
 * @param options.env - Added to the environment of every service process.
 */
export function forkServices(
  entry: string,
  {
    args = [],
    env = {},
    output,
  }: {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly output: "pipe" | "inherit";
  },
): ChildProcess {
  const child = fork(entry, args, {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      BWRAP_BIN: process.env["BWRAP_BIN"] ?? "",
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
    // The test runner's options are not for the service.
    execArgv: [],
    stdio: ["ignore", output, output, "ipc"],
  });
  alive.add(child);
  child.once("exit", () => alive.delete(child));
  return child;
}

const Ready = z.object({ type: z.literal("ready"), url: z.string().optional() });

/** A running service, in a separate or a shared process (`hosted-service.ts`). */
export type ServiceProcess = AsyncDisposable & {
  readonly name: ServiceName;
  /** The URL it listens on, if any. */
  readonly url: string | undefined;
  /** Its own process. Throws if the service shares one. */
  readonly process: ChildProcess;
  /** Settles when it has ended, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  isRunning(): boolean;
  /** Its log so far. */
  output(): string;
  /** Ends it immediately, like a crash. Rejects if it shares its process. */
  kill(): Promise<void>;
  /** Asks it to stop and waits; resolves with its exit code. */
  stop(): Promise<number | null>;
};

/**
 * Starts one service as a separate process and waits until it reports that it is ready.
 *
 * @param options.entry - The script that runs it, relative to the repository's root; default: its bundle in a test run that has
 *   created one, else its own `main.ts`.
 * @param options.readyWithinMs - After this time it is killed, and the start fails; default a minute.
 */
export async function startServiceProcess(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  { entry = entryOf(name), readyWithinMs = READY_WITHIN_MS }: { entry?: string; readyWithinMs?: number } = {},
): Promise<ServiceProcess> {
  const child = forkServices(entry, { env, output: "pipe" });
  const output = outputTail();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (piece: Buffer) => output.add(piece.toString()));
  }
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code ?? 0));
  });
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (isOver()) return;
    child.kill(signal);
    await ended;
  };
  const url = await untilReady(child, { name, output: output.text, readyWithinMs }).catch(
    async (error: unknown) => {
      await end("SIGKILL");
      throw error;
    },
  );
  return {
    name,
    url,
    process: child,
    ended,
    isRunning: () => !isOver(),
    output: output.text,
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGTERM");
      return child.exitCode;
    },
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

/** Collects the last output of a service. */
export function outputTail() {
  let text = "";
  return {
    text: () => text,
    add(piece: string): void {
      text = (text + piece).slice(-OUTPUT_CHARS_MAX);
    },
  };
}

async function untilReady(
  child: ChildProcess,
  {
    name,
    output,
    readyWithinMs,
  }: { readonly name: string; readonly output: () => string; readonly readyWithinMs: number },
): Promise<string | undefined> {
  const ready = Promise.withResolvers<string | undefined>();
  const fail = (why: string): void => ready.reject(new Error(`${name} ${why}; it printed:\n${output()}`));
  const onMessage = (message: unknown): void => {
    const parsed = Ready.safeParse(message);
    if (parsed.success) ready.resolve(parsed.data.url);
  };
  // Not at its exit, when its last output has not been read yet.
  const onClose = (code: number | null, signal: NodeJS.Signals | null): void =>
    fail(`ended with ${signal ?? code} before it was ready`);
  const timer = setTimeout(() => fail(`was not ready within ${readyWithinMs} ms`), readyWithinMs);
  child.on("message", onMessage);
  child.once("close", onClose);
  try {
    return await ready.promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onMessage);
    child.off("close", onClose);
  }
}

function entryOf(name: ServiceName): string {
  const bundled = process.env[BUNDLED_SERVICES];
  return bundled === undefined ? `services/${name}/src/main.ts` : path.join(bundled, `${name}.js`);
}
