import { setTimeout as delay } from "node:timers/promises";
import { errors } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { describeError } from "../errors.ts";
import { JetStreamApiError } from "@nats-io/jetstream";

/** A cluster elects a leader within ten seconds; a server that loads a large store after a restart may take longer. */
const WITHIN_MS = 30_000;
const WAIT_MS = 100;
const WAIT_MS_MAX = 1_000;
/** Shorter failures are not logged. */
const SILENT_MS = 1_000;

export type AskAgainOptions = {
  /** Time limit in milliseconds; default 30 s. An attempt that has begun is not interrupted. */
  readonly withinMs?: number | undefined;
  /** Gets one warning when it takes longer than a second. */
  readonly log?: Logger | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Repeats a JetStream request that is not answered: a server loses API calls while it reloads its users, and a cluster
 * answers nothing while it elects a leader. Only for idempotent calls.
 *
 * @param what - What is not possible meanwhile, for the log.
 * @throws The error of the last attempt after the time limit; a rejection by the server immediately.
 */
export async function askAgain<T>(
  what: string,
  ask: () => Promise<T>,
  { withinMs = WITHIN_MS, log, signal }: AskAgainOptions = {},
): Promise<T> {
  const began = performance.now();
  let isSaid = false;
  for (let waitMs = WAIT_MS; ; waitMs = Math.min(WAIT_MS_MAX, 2 * waitMs)) {
    try {
      return await ask();
    } catch (error) {
      const passedMs = performance.now() - began;
      const isOver = error instanceof errors.ClosedConnectionError || !isUnavailable(error);
      if (isOver || passedMs + waitMs > withinMs) throw error;
      if (!isSaid && passedMs + waitMs > SILENT_MS) {
        isSaid = true;
        log?.warn(
          { what, why: describeError(error), withinMs },
          "JetStream does not answer: it may be electing a leader; trying again",
        );
      }
    }
    await delay(waitMs, undefined, signal === undefined ? {} : { signal });
  }
}

const CAUSES_MAX = 5;
/** The status of an answer when no server handles the request. */
export const NO_RESPONDERS = 503;

/** Whether an error of the NATS client means that the server does not answer now, as opposed to a negative answer. */
export function isUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < CAUSES_MAX; depth++) {
    if (saysSo(current)) return true;
    current = current.cause;
  }
  return false;
}

function saysSo(error: Error): boolean {
  if (error instanceof JetStreamApiError) return error.status === NO_RESPONDERS;
  return (
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoRespondersError ||
    error instanceof errors.ConnectionError ||
    error instanceof errors.ClosedConnectionError ||
    error instanceof errors.DrainingConnectionError ||
    // Without a leader there is no JetStream. The library does not export this class or the next one.
    error.name === "JetStreamNotEnabled" ||
    // A server of a cluster may not know a new consumer yet, and the consumers of a server that dies are gone.
    (error.name === "JetStreamStatusError" && "code" in error && error.code === NO_RESPONDERS)
  );
}
