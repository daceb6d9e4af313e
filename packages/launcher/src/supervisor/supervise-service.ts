import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Output } from "./console-output.ts";
import { withLogin } from "../credentials/login-of.ts";
import { withOwnSecrets } from "./own-secrets.ts";
import { restartPolicy } from "./restart-policy.ts";

/** Slightly longer than a service takes to force its own exit. */
const STOP_GRACE_MS = 12_000;

/** The service that runs steps, which can crash it. */
const EXECUTOR = "executor";

const ReadyMessage = z.object({ type: z.literal("ready"), url: z.url().optional() });

export type ServiceSpec = {
  /** Unique in the system; the prefix of its lines. */
  readonly name: string;
  /** Path of the script that runs it. */
  readonly entry: string;
};

type SupervisedService = AsyncDisposable & {
  /** Resolves with its URL, if it has one, when it is first ready; rejects when it ends before. */
  readonly ready: Promise<string | undefined>;
  /** Rejects when it ended and is not restarted; never resolves. */
  readonly failed: Promise<never>;
  /** Kills it immediately. */
  kill(): void;
};

/**
 * Runs one service as a process, and restarts it when it crashes.
 *
 * The process is in its own group, so that Ctrl-C reaches only the supervisor, which decides the order of stopping. It notices
 * that the supervisor is gone when the IPC channel closes. Disposing sends SIGTERM, and SIGKILL after {@link STOP_GRACE_MS}.
 */
export function superviseService({
  spec,
  env,
  output,
}: {
  spec: ServiceSpec;
  env: NodeJS.ProcessEnv;
  output: Output;
}): SupervisedService {
  const ready = Promise.withResolvers<string | undefined>();
  const failed = Promise.withResolvers<never>();
  // Not awaiting these must not count as an unhandled rejection.
  for (const promise of [ready.promise, failed.promise]) promise.catch(() => undefined);
  const stopping = new AbortController();
  let child: ChildProcess | undefined;

  const ended = keepRunning({
    spec,
    signal: stopping.signal,
    output,
    start() {
      child = spawnService({ spec, env, output, onReady: ready.resolve });
      return child;
    },
  }).then((reason) => {
    ready.reject(reason);
    if (!stopping.signal.aborted) failed.reject(reason);
  });

  return {
    ready: ready.promise,
    failed: failed.promise,
    kill: () => child?.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      child?.kill("SIGTERM");
      const late = setTimeout(() => {
        output.say(`${spec.name} did not stop within ${STOP_GRACE_MS / 1_000} s: killing it`, {
          severity: "warn",
        });
        child?.kill("SIGKILL");
      }, STOP_GRACE_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Restarts the service as needed; returns the reason when it is not restarted any more. */
async function keepRunning({
  spec,
  signal,
  output,
  start,
}: {
  spec: ServiceSpec;
  signal: AbortSignal;
  output: Output;
  start: () => ChildProcess;
}): Promise<Error> {
  const crashesMax = spec.name === EXECUTOR ? Number.POSITIVE_INFINITY : undefined;
  const nextDelayMs = restartPolicy(() => performance.now(), crashesMax);
  let wasReady = false;
  for (;;) {
    const child = start();
    child.once("message", () => {
      wasReady = true;
    });
    const how = await exitOf(child);
    if (signal.aborted) return new Error(`${spec.name} was stopped`);
    // Restarting does not help a service that has never started: its settings or the machine are the problem.
    if (!wasReady) return new Error(`${spec.name} did not start (${how}): see its log lines above`);
    const delayMs = nextDelayMs();
    if (delayMs === undefined) return new Error(`${spec.name} keeps crashing (${how}): not restarting it`);
    output.say(`${spec.name} crashed (${how}): restarting it in ${delayMs} ms`, { severity: "warn" });
    await delay(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return new Error(`${spec.name} was stopped`);
  }
}

function spawnService({
  spec,
  env,
  output,
  onReady,
}: {
  spec: ServiceSpec;
  env: NodeJS.ProcessEnv;
  output: Output;
  onReady: (url: string | undefined) => void;
}): ChildProcess {
  const child = spawn(process.execPath, [spec.entry], {
    env: withOwnSecrets(withLogin(env, spec.name), spec.name),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface(stream).on("line", (line) => output.line(spec.name, line));
  }
  child.on("message", (message) => {
    const { success, data } = ReadyMessage.safeParse(message);
    if (success) onReady(data.url);
  });
  return child;
}

/** Resolves with how the process ended. Waits for "close", which follows "exit" once the last lines have been read. */
function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once("error", (error) => resolve(error.message));
  });
}
