/** The child's side of a pool: answers one call at a time, and never outlives its parent. */
import { Worker } from "node:worker_threads";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { CallMessage, type Fault, READY, type ReplyMessage } from "./messages.ts";
import { WatchdogSettings } from "./watchdog-settings.ts";

/**
 * Answers the calls of the pool that forked this process until it disconnects.
 *
 * @param handle - Given a request that nobody has looked at; what it throws is told to the caller.
 */
export function serveCalls(handle: (request: unknown) => unknown): void {
  startWatchdog();
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    const { id, request } = CallMessage.parse(message);
    void answer(id, () => handle(request));
  });
  process.send?.(READY);
}

/** A thread of its own, because a query that does not end never gives this one back. */
function startWatchdog(): void {
  const workerData = WatchdogSettings.parse(JSON.parse(process.argv[2] ?? "null"));
  new Worker(new URL("./watchdog-thread.ts", import.meta.url), { workerData }).unref();
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
