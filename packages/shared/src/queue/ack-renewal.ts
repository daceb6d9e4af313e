import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { NatsAccess } from "../access/nats-access.ts";
import { createAckSlots } from "./ack-slots.ts";

/** Keeps messages in progress from being delivered to another worker. */
export type AckRenewal = AsyncDisposable & {
  /**
   * Renews a message's ack wait from another thread until it is released or `renewUntilMs` is reached.
   *
   * @param ackSubject - The subject of the message's acknowledgement.
   * @param renewUntilMs - By `monotonicMs`; after that the message counts as abandoned.
   * @returns A function that releases it; undefined when all slots are taken.
   */
  hold(ackSubject: string, renewUntilMs: number): (() => void) | undefined;
};

/**
 * Resolves once the thread is connected: a message received earlier would go to another worker.
 *
 * @param count - Maximum number of concurrently held messages.
 * @throws {Error} When the thread cannot start.
 */
export async function startAckRenewal({
  count,
  log,
  ...access
}: NatsAccess & {
  count: number;
  log: Logger;
}): Promise<AckRenewal> {
  const slots = createAckSlots(count);
  const free = Array.from({ length: count }, (_, slot) => count - 1 - slot);
  const thread = new Worker(new URL("./ack-renewal-thread.ts", import.meta.url), {
    workerData: { access, memory: slots.memory },
    // The main thread's options may not suit a thread that only renews.
    execArgv: [],
  });
  await once(thread, "message");
  thread.unref();
  // Without renewals, a long step is delivered twice; the first stored outcome still counts.
  thread.on("error", (error) => log.error({ err: error }, "ack renewal failed"));

  return {
    hold(ackSubject, renewUntilMs) {
      const slot = free.pop();
      if (slot === undefined) return undefined;
      slots.hold(slot, ackSubject, renewUntilMs);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        slots.release(slot);
        free.push(slot);
      };
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}
