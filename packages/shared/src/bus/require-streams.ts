import { setTimeout as delay } from "node:timers/promises";
import { JetStreamApiError } from "@nats-io/jetstream";
import type { Logger } from "pino";
import { describeError, PermanentError } from "../errors.ts";
import type { Bus } from "./connect-bus.ts";
import { isUnavailable } from "./is-unavailable.ts";
import { provisionQueue } from "./provision.ts";
import type { QueueName } from "./queues.ts";
import { STREAMS } from "./topology.ts";

/** JetStream: there is no such stream, no such consumer. */
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;
/** Whoever provisions may be starting too. */
const WAIT_MS = 1_000;
const WAITS_MAX = 30;

const COMMAND = "planwright provision";

/**
 * Waits until the streams are there, half a minute at most. A service does not create them: it may not.
 *
 * @throws {PermanentError} `not_provisioned`, with the command that creates them.
 */
export async function requireStreams(
  bus: Bus,
  { signal, log }: { readonly signal?: AbortSignal; readonly log?: Logger },
): Promise<void> {
  for (let waits = 0; ; waits++) {
    const missing = await missingStreams(bus);
    if (missing.length === 0) return;
    const fix = `streams are missing on this NATS server (${missing.join(", ")}): run \`${COMMAND}\``;
    if (waits === 0) log?.warn({ missing }, fix);
    if (waits === WAITS_MAX) throw new PermanentError(fix, { code: "not_provisioned" });
    await delay(WAIT_MS, undefined, signal === undefined ? {} : { signal });
  }
}

async function missingStreams(bus: Bus): Promise<string[]> {
  const found = await Promise.all(
    [STREAMS.plans, STREAMS.work, STREAMS.artifacts].map(async (stream) => {
      try {
        await bus.manager.streams.info(stream);
        return [];
      } catch (error) {
        if (isMissing(error, STREAM_NOT_FOUND) || isUnavailable(error)) return [stream];
        throw error;
      }
    }),
  );
  return found.flat();
}

/**
 * Makes sure that a queue is there. A login that may create consumers, as on a server without users, creates it.
 *
 * @throws {PermanentError} `not_provisioned`, with the command that creates it.
 */
export async function requireQueue(bus: Bus, queue: QueueName): Promise<void> {
  try {
    await bus.manager.consumers.info(STREAMS.work, queue.durable);
    return;
  } catch (error) {
    if (!isMissing(error, CONSUMER_NOT_FOUND)) throw error;
  }
  try {
    await provisionQueue(bus, queue);
  } catch (cause) {
    const pool = queue.durable.startsWith("pool-") ? ` --pool ${queue.durable.slice("pool-".length)}` : "";
    throw new PermanentError(
      `the queue ${queue.durable} is missing, and this login may not create it (${describeError(cause)}): run \`${COMMAND}${pool}\``,
      { code: "not_provisioned", cause },
    );
  }
}

function isMissing(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
