import { TransientError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { Worker } from "node:worker_threads";
import type { TraceOutcome, TraceQuestion, TraceReply, TraceRequest } from "./trace-messages.ts";
import { type KeptFigures, NOTHING_KEPT } from "./trace-store.ts";

export type TraceThread = AsyncDisposable & {
  /** @throws {TransientError} When the thread has ended before it answered. */
  ask(question: TraceQuestion, transfer?: ArrayBuffer[]): Promise<TraceOutcome>;
  readonly isRunning: boolean;
  /** As of its last answer. */
  readonly figures: KeptFigures;
};

/** The thread begins with the first question, and again with the next one after it was lost. */
export function askTraceThread(log: Logger): TraceThread {
  const waiting = new Map<number, PromiseWithResolvers<TraceOutcome>>();
  let thread: Worker | undefined;
  let asked = 0;
  let figures = NOTHING_KEPT;

  const failAll = (message: string, cause?: unknown): void => {
    for (const { reject } of waiting.values()) reject(new TransientError(message, { cause }));
  };

  const start = (): Worker => {
    const started = new Worker(new URL("./trace-thread.ts", import.meta.url), { execArgv: [] });
    started.unref();
    started.on("message", (reply: TraceReply) => {
      ({ figures } = reply);
      waiting.get(reply.id)?.resolve(reply.outcome);
    });
    const lost = (reason: unknown): void => {
      if (thread !== started) return;
      thread = undefined;
      figures = NOTHING_KEPT;
      log.error({ err: reason }, "traces lost: their thread ended");
      failAll("the traces cannot be read", reason);
    };
    started.on("error", lost);
    started.on("exit", (code) => lost(new Error(`the thread ended with ${code}`)));
    return started;
  };

  return {
    async ask(question, transfer = []) {
      thread ??= start();
      asked += 1;
      const id = asked;
      const reply = Promise.withResolvers<TraceOutcome>();
      waiting.set(id, reply);
      thread.postMessage({ id, question } satisfies TraceRequest, transfer);
      try {
        return await reply.promise;
      } finally {
        waiting.delete(id);
      }
    },
    get isRunning() {
      return thread !== undefined;
    },
    get figures() {
      return figures;
    },
    async [Symbol.asyncDispose]() {
      const stopping = thread;
      thread = undefined;
      await stopping?.terminate();
      failAll("the gateway is stopping");
    },
  };
}
