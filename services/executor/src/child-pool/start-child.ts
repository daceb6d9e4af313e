/** One child process of a pool: it takes one call at a time, and is killed to end a call. */
import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { endOf, type Reach, startBehind, type Wall } from "../wall/wall.ts";
import { CODE_PATHS } from "./code-paths.ts";
import { type Fault, QUESTION_FD, ReplyMessage } from "./messages.ts";
import { OUT_OF_MEMORY_SIGNAL } from "./out-of-memory-signal.ts";
import { countOwnTime, type OwnTime } from "./own-time.ts";
import { type Answer, serveQuestions } from "./serve-questions.ts";
import type { WatchdogSettings } from "./watchdog-settings.ts";

const START_WITHIN_MS = 60_000;
const STDERR_CHARS_MAX = 2_000;
/** All files, in Node's permission model; behind a wall, only the code and what a call reaches exist. */
const ALL = "*";
/** The parent's pid as a child behind a wall sees it; that process ends with the one outside. */
const FIRST_PID = 1;

export type ChildSettings = {
  /** The `.ts` file that the child runs; it calls `serveCalls`. */
  readonly entry: URL;
  /** Folders the child can read; it cannot write anywhere, open connections or start processes. */
  readonly readablePaths: readonly string[];
  readonly memoryMb: number;
  /** Whether the child uses SQLite, which ignores Node's permissions; the module is unavailable by default. */
  readonly usesSqlite?: boolean;
  /** Additional Node options for the child's command line. */
  readonly flags?: readonly string[];
  /** The operating system's wall around the child; none by default. */
  readonly wall?: Wall | undefined;
  /** Folders that the wall opens in addition to `readablePaths`. */
  readonly reach?: Reach | undefined;
};

/** The plan that a call is made for. */
export type CallOwner = { readonly tenant: string; readonly plan: string };

export type CallLimits = {
  readonly signal: AbortSignal;
  /** Calls of one owner wait for one another first; calls without an owner count as one owner's. */
  readonly owner?: CallOwner | undefined;
  /** The child's own time, from when it takes the call: the clock is paused while the child waits for an answer. */
  readonly timeoutMs: number;
  /** Answers the child's questions during the call. Without it, a child that asks is killed at its deadline. */
  readonly answer?: Answer;
  /** Whether the child must not take another call after this reply; by default it takes calls as long as it lives. */
  readonly isSpent?: (reply: unknown) => boolean;
  /** For this call only: it runs in a child whose wall opens exactly these folders. Ignored without a wall. */
  readonly reach?: Reach | undefined;
};

export type Child = {
  /** As in its settings. */
  readonly reach: Reach | undefined;
  readonly alive: () => boolean;
  readonly calls: () => number;
  readonly call: (request: unknown, limits: CallLimits) => Promise<unknown>;
  readonly kill: () => void;
};

/** Starts a child. An idle child does not keep this process alive. */
export function startChild(settings: ChildSettings): Child {
  const child = startEntry(settings);
  let exited = false;
  let calls = 0;
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr = (stderr + String(chunk)).slice(-STDERR_CHARS_MAX);
  });
  child.on("exit", () => {
    exited = true;
  });
  child.on("error", () => {
    exited = child.pid === undefined;
  });
  const ready = Promise.withResolvers<void>();
  child.once("message", () => ready.resolve());
  // If the pipe breaks, the child has exited; its exit event reports that.
  child.stdio[QUESTION_FD]?.on("error", () => undefined);
  keepAlive(child, false);

  /** @param ended - Rejects when the child will never be ready, so that the time limit does not outlive it. */
  async function untilReady(ended: Promise<unknown>, end: (error: unknown) => void): Promise<void> {
    using _limit = countOwnTime(START_WITHIN_MS, () =>
      end(new TransientError(`the child process did not start within ${START_WITHIN_MS} ms`)),
    );
    await Promise.race([ready.promise, ended]);
  }

  async function call(request: unknown, { signal, timeoutMs, answer }: CallLimits): Promise<unknown> {
    signal.throwIfAborted();
    const id = ++calls;
    const reply = Promise.withResolvers<unknown>();
    const end = (error: unknown) => {
      reply.reject(error);
      child.kill("SIGKILL");
    };
    const onMessage = (message: unknown) => settle(reply, id, message);
    const onExit = (code: number | null, killedBy: NodeJS.Signals | null) => {
      const end = settings.wall === undefined ? { code, killedBy } : endOf(code, killedBy);
      reply.reject(exitError({ ...end, stderr, memoryMb: settings.memoryMb }));
    };
    const onError = (cause: Error) => end(new TransientError("cannot reach the child process", { cause }));
    const onAbort = () => end(signal.reason);
    child.on("exit", onExit).on("error", onError);
    signal.addEventListener("abort", onAbort, { once: true });
    keepAlive(child, true);
    try {
      await untilReady(reply.promise, end);
      using time = countOwnTime(timeoutMs, () =>
        end(new PermanentError(`took longer than ${timeoutMs} ms`, { code: "deadline_exceeded" })),
      );
      using _questions = answer === undefined ? undefined : answering(child, { answer, time, end });
      child.on("message", onMessage).send({ id, request }, (cause) => {
        if (cause !== null) onError(cause);
      });
      return await reply.promise;
    } finally {
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      signal.removeEventListener("abort", onAbort);
      keepAlive(child, false);
    }
  }

  return {
    reach: settings.reach,
    alive: () => !exited && !child.killed && child.connected,
    calls: () => calls,
    call,
    kill: () => child.kill("SIGKILL"),
  };
}

type Questioned = {
  readonly answer: Answer;
  readonly time: OwnTime;
  readonly end: (error: unknown) => void;
};

function answering(child: ChildProcess, { answer, time, end }: Questioned): Disposable | undefined {
  const pipe = child.stdio[QUESTION_FD];
  if (!(pipe instanceof Duplex)) return undefined;
  return serveQuestions(pipe, { answer, onAsked: time.pause, onAnswered: time.resume, onFailure: end });
}

function startEntry(settings: ChildSettings): ChildProcess {
  const { entry, readablePaths, wall, reach } = settings;
  const execArgv = nodeOptions(settings);
  if (wall === undefined) {
    return fork(entry, [watchdogOf(settings, process.pid)], {
      execArgv,
      // Empty: keys live in our environment.
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe"],
    });
  }
  const args = [...execArgv, fileURLToPath(entry), watchdogOf(settings, FIRST_PID)];
  const behindWall = readablePaths.flatMap((path) => (path === ALL ? CODE_PATHS : [path]));
  return startBehind(wall, { args, readablePaths: behindWall, reach });
}

function watchdogOf({ memoryMb }: ChildSettings, parentPid: number): string {
  return JSON.stringify({ parentPid, memoryBytesMax: memoryMb * 1024 * 1024 } satisfies WatchdogSettings);
}

function nodeOptions({ readablePaths, memoryMb, usesSqlite = false, flags = [] }: ChildSettings): string[] {
  return [
    `--max-old-space-size=${memoryMb}`,
    "--permission",
    // For the watchdog thread; the child drops this right once the thread runs.
    "--allow-worker",
    "--no-addons",
    ...(usesSqlite ? [] : ["--no-experimental-sqlite"]),
    ...readablePaths.map((path) => `--allow-fs-read=${path}`),
    ...flags,
  ];
}

function keepAlive(child: ChildProcess, alive: boolean): void {
  const act = alive ? "ref" : "unref";
  child[act]();
  child.channel?.[act]();
  for (const pipe of [child.stderr, child.stdio[QUESTION_FD]]) if (pipe instanceof Socket) pipe[act]();
}

function settle(reply: PromiseWithResolvers<unknown>, id: number, message: unknown): void {
  const parsed = ReplyMessage.safeParse(message);
  if (!parsed.success)
    return reply.reject(new Error("the child's reply is malformed", { cause: parsed.error }));
  if (parsed.data.id !== id) return;
  if (parsed.data.ok) reply.resolve(parsed.data.value);
  else reply.reject(fromFault(parsed.data.fault));
}

function fromFault({ kind, code, message }: Fault): Error {
  return kind === "permanent" ? new PermanentError(message, { code }) : new TransientError(message);
}

type Exit = {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly stderr: string;
  readonly memoryMb: number;
};

function exitError({ code, killedBy, stderr, memoryMb }: Exit): Error {
  // V8 aborts when its heap is full; the watchdog ends the process when its total memory is used up.
  if (killedBy === OUT_OF_MEMORY_SIGNAL || killedBy === "SIGABRT") {
    return new PermanentError(`needs more memory than its limit of ${memoryMb} MB`, {
      code: "out_of_memory",
    });
  }
  return new TransientError(`the child process ended early (${killedBy ?? `exit code ${code}`})`, {
    cause: stderr === "" ? undefined : new Error(stderr.trim()),
  });
}
