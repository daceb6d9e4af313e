/** A server that runs as our child process and communicates over its standard input and output. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  deserializeMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { createFloodGate, type FloodGate } from "./flood-gate.ts";
import type { StdioTarget } from "./mcp-file.ts";
import { createLineSplitter } from "./split-lines.ts";

const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
const STDERR_CHARS_MAX = 500;
/** How long a server may take to exit after its input is closed, and then after SIGTERM. */
const LEAVE_MS = 500;
const TERMINATE_MS = 1_000;
/** Variables that it gets besides those in its entry: not the keys and addresses of this process. */
const INHERITED = ["PATH", "HOME"] as const;

export type StdioTransport = Transport & {
  /** Why it is closed; absent while it is open. */
  readonly reason: () => string | undefined;
};

/** Starts nothing until `start` is called. Closing ends the process and everything that it started. */
export function createStdioTransport(target: StdioTarget): StdioTransport {
  const gate = createFloodGate(() => performance.now());
  const splitter = createLineSplitter(MESSAGE_BYTES_MAX);
  let child: ChildProcess | undefined;
  let reason: string | undefined;
  let closing: Promise<void> | undefined;
  const close = (why?: string): Promise<void> => {
    reason ??= why ?? "it was closed";
    // Its further output is ignored.
    for (const stream of [child?.stdout, child?.stderr]) stream?.removeAllListeners("data").resume();
    closing ??= child === undefined ? Promise.resolve() : endProcess(child);
    return closing;
  };
  const onOutput = (chunk: Buffer): void => {
    try {
      gate.pass(chunk);
      for (const line of splitter.push(chunk)) receive(line, transport);
    } catch (error) {
      close(messageOf(error)).catch(() => undefined);
    }
  };
  const transport: StdioTransport & { readonly pid: number | null; readonly stderr: null } = {
    // These two show the client that silence does not mean that the server speaks an older protocol.
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    reason: () => reason,
    async start() {
      child = spawn(target.command, target.args, {
        ...(target.cwd === undefined ? {} : { cwd: target.cwd }),
        env: { ...inherited(), ...target.env },
        stdio: ["pipe", "pipe", "pipe"],
        // A separate process group, so that the server's children end with it.
        detached: true,
        windowsHide: true,
      });
      const tail = keepTail(child, gate, (why) => void close(why).catch(() => undefined));
      child.stdout?.on("data", onOutput);
      for (const stream of [child.stdin, child.stdout]) stream?.on("error", () => undefined);
      child.once("exit", () => {
        if (child !== undefined) signalGroup(child, "SIGKILL");
      });
      // On `close`, not on `exit`: its last output still has to be read then.
      child.once("close", (code, signal) => {
        if (child?.pid !== undefined)
          reason ??= `it exited with ${signal ?? `exit code ${code}`}${tail() === "" ? "" : `: ${tail()}`}`;
        transport.onclose?.();
      });
      // Rejects when the program does not exist.
      await once(child, "spawn");
    },
    async send(message) {
      const input = child?.stdin;
      if (reason !== undefined || input?.writable !== true) {
        throw new SdkError(SdkErrorCode.NotConnected, reason ?? "it is not running");
      }
      if (!input.write(serializeMessage(message))) await once(input, "drain");
    },
    close: () => close(),
  };
  return transport;
}

/** Lines that are not messages are skipped: some servers print to their output. */
function receive(line: string, transport: Transport): void {
  try {
    transport.onmessage?.(deserializeMessage(line));
  } catch (error) {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Keeps the end of its standard error, to explain why it exited. */
function keepTail(child: ChildProcess, gate: FloodGate, onFlood: (why: string) => void): () => string {
  let tail = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    try {
      gate.pass(chunk);
      tail = (tail + chunk.toString("utf8")).slice(-STDERR_CHARS_MAX);
    } catch (error) {
      onFlood(messageOf(error));
    }
  });
  child.stderr?.on("error", () => undefined);
  return () => tail.trim();
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit").catch(() => undefined);
  child.stdin?.end();
  if (await isOverWithin(ended, LEAVE_MS)) return;
  signalGroup(child, "SIGTERM");
  if (await isOverWithin(ended, TERMINATE_MS)) return;
  signalGroup(child, "SIGKILL");
  await ended;
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // No process of the group is left.
  }
}

async function isOverWithin(ended: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  const isOver = await Promise.race([ended.then(() => true), promise]);
  clearTimeout(timer);
  return isOver;
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
