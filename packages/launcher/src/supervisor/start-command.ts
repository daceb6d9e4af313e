import { describeError } from "@planwright/shared/errors";
import { consoleOutput } from "./console-output.ts";
import { type RunDeps, runSystem } from "./run-system.ts";
import { parseStartOptions, startHelp, type StartOptions } from "./start-options.ts";

/** The error codes of a pipe without a reader and of a closed terminal. */
const READER_GONE = new Set(["EPIPE", "EIO"]);

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const ALIVE_INTERVAL_MS = 60_000;
const SAME_SIGNAL_MS = 500;
/** Keeps plans and data private: this process and its children create files as 0600 and folders as 0700. */
const PRIVATE_UMASK = 0o077;
const EXIT_FAULT = 1;
const EXIT_USAGE = 2;
const EXIT_KILLED = 130;

/** Creates the command's dependencies, given its options and output. */
export type MakeDeps = (
  options: StartOptions,
  output: ReturnType<typeof consoleOutput>,
) => Omit<RunDeps, "output">;

/**
 * `npm start`: runs the system until SIGINT, SIGTERM or SIGHUP, or until its parent process or the reader of its output
 * ends.
 *
 * @param command - The command line to show in the help.
 * @returns The exit code: 0 after a requested stop, 1 after an error, 2 for invalid usage, 130 when a second signal killed
 *   everything.
 */
export async function startCommand(
  args: readonly string[],
  makeDeps: MakeDeps,
  command = "npm start --",
): Promise<number> {
  const options = readOptions(args, command);
  if (typeof options === "number") return options;
  process.umask(PRIVATE_UMASK);
  const output = consoleOutput({ json: options.jsonLogs, stream: process.stdout });
  const stopping = new AbortController();
  const killing = new AbortController();
  const onSignal = signalCounter({ first: () => stopping.abort(), second: () => killing.abort() });
  let fault: unknown;
  const onFault = (error: unknown) => {
    fault ??= error;
    output.say(`uncaught error: ${stackOf(error)}`, { severity: "error" });
    stopping.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  using _reader = watchOutputReader([process.stdout, process.stderr], () => stopping.abort());
  process.on("uncaughtException", onFault);
  process.once("disconnect", () => stopping.abort());
  process.channel?.unref();
  // Waiting for a signal does not keep a process alive.
  const alive = setInterval(() => undefined, ALIVE_INTERVAL_MS);
  try {
    await runSystem(
      options,
      { ...makeDeps(options, output), output },
      { stopping: stopping.signal, killing: killing.signal },
    );
    output.say("stopped");
  } catch (error) {
    // A start that is interrupted by a requested stop throws the abort error.
    if (!(stopping.signal.aborted && isAbort(error))) {
      fault ??= error;
      output.say(describeError(error), { severity: "error" });
    }
  } finally {
    clearInterval(alive);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off("uncaughtException", onFault);
  }
  if (fault !== undefined) return EXIT_FAULT;
  return killing.signal.aborted ? EXIT_KILLED : 0;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * One Ctrl-C can arrive several times: from the terminal, and forwarded by npm and `up.mjs`. Signals within {@link
 * SAME_SIGNAL_MS} of the first count as the same one.
 */
function signalCounter({ first, second }: { first: () => void; second: () => void }): () => void {
  let firstAt: number | undefined;
  return () => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      first();
    } else if (now - firstAt > SAME_SIGNAL_MS) second();
  };
}

function readOptions(args: readonly string[], command: string): StartOptions | number {
  try {
    const options = parseStartOptions(args, process.env);
    if (options !== undefined) return options;
    process.stdout.write(startHelp(command));
    return 0;
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n\n${startHelp(command)}`);
    return EXIT_USAGE;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/**
 * Handles the errors of the output streams. They lose their reader when the terminal is closed or the program that reads the pipe
 * has ended; failing to print then is not an error of the system. A line that cannot be written for another reason, such as a
 * full disk, is lost; the system keeps running.
 *
 * @param onGone - Called once, when a stream has lost its reader.
 */
function watchOutputReader(streams: readonly NodeJS.WriteStream[], onGone: () => void): Disposable {
  let gone = false;
  const onError = (error: NodeJS.ErrnoException) => {
    if (gone || !READER_GONE.has(error.code ?? "")) return;
    gone = true;
    onGone();
  };
  for (const stream of streams) stream.on("error", onError);
  return {
    [Symbol.dispose]() {
      // Later prints may still fail: keep a listener, so that the error is not thrown.
      for (const stream of streams) stream.on("error", () => undefined).off("error", onError);
    },
  };
}
