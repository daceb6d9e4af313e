/** The child's side of a pool: answers one call at a time, and never outlives its parent. */
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { Worker } from "node:worker_threads";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { CallMessage, type Fault, READY, type ReplyMessage } from "./messages.ts";
import { WatchdogSettings } from "./watchdog-settings.ts";

/**
 * Answers the calls of the pool that forked this process until it disconnects.
 *
 * @param handle - Receives each request, unvalidated; the errors that it throws are reported to the caller.
 */
export function serveCalls(handle: (request: unknown) => unknown): void {
  startWatchdog();
  dropPermissions();
  answerCalls(handle);
}

/** Answers calls in a process without internal guards, as a child is before {@link serveCalls} locks it down. */
export function answerCalls(handle: (request: unknown) => unknown): void {
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    const { id, request } = CallMessage.parse(message);
    void answer(id, () => handle(request));
  });
  process.send?.(READY);
}

/** A separate thread, because a query that does not end blocks this one forever. */
function startWatchdog(): void {
  const workerData = WatchdogSettings.parse(JSON.parse(process.argv[2] ?? "null"));
  new Worker(new URL("./watchdog-thread.ts", import.meta.url), { workerData }).unref();
}

/**
 * Drops the rights that only the start needs. A worker without Node's options would have no permission model at all. That model
 * also ignores signals, which reach every process of this account and open the debugger of any Node process.
 */
function dropPermissions(): void {
  process.permission.drop("worker");
  for (const name of ["kill", "_kill", "_debugProcess", "_debugEnd"]) Reflect.deleteProperty(process, name);
  Reflect.deleteProperty(os, "setPriority");
  syncBuiltinESMExports();
}

async function answer(id: number, run: () => unknown): Promise<void> {
  try {
    send({ id, ok: true, value: await run() });
  } catch (error) {
    send({ id, ok: false, fault: toFault(error) });
  }
}

function send(reply: ReplyMessage): void {
  process.send?.(reply);
}

function toFault(error: unknown): Fault {
  const message = describeError(error);
  if (error instanceof PermanentError) return { kind: "permanent", code: error.code, message };
  if (error instanceof TransientError) return { kind: "transient", code: "failed", message };
  return { kind: "permanent", code: "internal", message };
}
