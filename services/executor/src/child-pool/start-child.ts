/** One child process of a pool: it takes one call at a time, and a call that must end ends with it. */
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
/** Every file, for Node's permissions; behind a wall, the code and what a call reaches. */
const ALL = "*";
/** A child behind a wall sees this parent, which ends with the one outside. */
const FIRST_PID = 1;

export type ChildSettings = {
  /** The `.ts` file that the child runs; it calls `serveCalls`. */
  readonly entry: URL;
  /** Folders the child may read; it may write nowhere, open no connection and start no process. */
  readonly readablePaths: readonly string[];
  readonly memoryMb: number;
  /** Whether the child uses SQLite, which keeps to no permission of Node's; there is no such module when absent. */
  readonly usesSqlite?: boolean;
  /** More options of Node for the child's command line. */
  readonly flags?: readonly string[];
  /** The operating system's wall that it runs behind; none when absent. */
  readonly wall?: Wall | undefined;
  /** Folders that the wall leaves open besides `readablePaths`. */
  readonly reach?: Reach | undefined;
};

/** For which plan a call is made. */
export type CallOwner = { readonly tenant: string; readonly plan: string };

export type CallLimits = {
  readonly signal: AbortSignal;
  /** Whose calls wait for one another first; those of no owner are one owner's. */
  readonly owner?: CallOwner | undefined;
  /** Of the child's own time, from when it takes the call: while it waits for an answer the clock stands still. */
  readonly timeoutMs: number;
  /** What the child may ask during the call; one that asks without it is killed at its deadline. */
  readonly answer?: Answer;
  /** Whether the child is to take no other call after this reply; it is taken as long as it lives when absent. */
  readonly isSpent?: (reply: unknown) => boolean;
  /** Of this call alone: it runs in a child whose wall leaves open just these. Without a wall it changes nothing. */
  readonly reach?: Reach | undefined;
};

export type Child = {
  /** As its settings have it. */
  readonly reach: Reach | undefined;
  readonly alive: () => boolean;
  readonly calls: () => number;
  readonly call: (request: unknown, limits: CallLimits) => Promise<unknown>;
  readonly kill: () => void;
};

/** Starts a child. While it has no call it does not keep this process alive. */
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
  // A pipe that breaks belongs to a child that has ended, which its exit tells.
  child.stdio[QUESTION_FD]?.on("error", () => undefined);
  keepAlive(child, false);

  /** @param ended - Rejects when the child will never be ready: the limit must not outlive it. */
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
      // Nothing of ours: keys live in the environment.
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
    // For the watchdog's thread; the child drops it as soon as that runs.
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
  // V8 aborts when its own heap is full; the watchdog ends the process when all of its memory is.
  if (killedBy === OUT_OF_MEMORY_SIGNAL || killedBy === "SIGABRT") {
    return new PermanentError(`needs more memory than its limit of ${memoryMb} MB`, {
      code: "out_of_memory",
    });
  }
  return new TransientError(`the child process ended early (${killedBy ?? `exit code ${code}`})`, {
    cause: stderr === "" ? undefined : new Error(stderr.trim()),
  });
}
