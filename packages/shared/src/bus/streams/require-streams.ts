import { setTimeout as delay } from "node:timers/promises";
import { JetStreamApiError } from "@nats-io/jetstream";
import type { Logger } from "pino";
import { describeError, PermanentError } from "../../errors.ts";
import { askAgain, type AskAgainOptions } from "../ask-again.ts";
import type { Bus } from "../connect-bus.ts";
import { provisionQueue } from "./provision.ts";
import type { QueueName } from "../subjects/queues.ts";
import { STREAMS } from "./topology.ts";

/** JetStream error codes: no such stream, no such consumer. */
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;
/** The process that creates the streams may be starting too. */
const POLL_MS = 1_000;
const WITHIN_MS = 30_000;

const COMMAND = "planwright provision";

/** Required by every service. */
const ALWAYS = [STREAMS.plans, STREAMS.work, STREAMS.artifacts];

/**
 * Waits up to half a minute until the streams exist and answer. A service lacks the permission to create them.
 *
 * @param options.also - Further streams that the service needs.
 * @throws {PermanentError} `not_provisioned`, with the command that creates them.
 * @throws The last error from JetStream, when it does not answer for them.
 */
export async function requireStreams(
  bus: Bus,
  {
    signal,
    log,
    also = [],
  }: { readonly signal?: AbortSignal; readonly log?: Logger; readonly also?: readonly string[] },
): Promise<void> {
  const began = performance.now();
  for (let isSaid = false; ; isSaid = true) {
    const missing = await missingStreams(bus, [...ALWAYS, ...also], { signal, log });
    if (missing.length === 0) return;
    const fix = `streams are missing on this NATS server (${missing.join(", ")}): run \`${COMMAND}\``;
    if (!isSaid) log?.warn({ missing }, fix);
    if (performance.now() - began > WITHIN_MS) throw new PermanentError(fix, { code: "not_provisioned" });
    await delay(POLL_MS, undefined, signal === undefined ? {} : { signal });
  }
}

async function missingStreams(
  bus: Bus,
  streams: readonly string[],
  options: AskAgainOptions,
): Promise<string[]> {
  const found = await Promise.all(
    streams.map(async (stream) => {
      try {
        await askAgain(`find the stream ${stream}`, () => bus.manager.streams.info(stream), options);
        return [];
      } catch (error) {
        if (isMissing(error, STREAM_NOT_FOUND)) return [stream];
        throw error;
      }
    }),
  );
  return found.flat();
}

/**
 * Checks that a queue exists. A login that can create consumers, as on a server without users, creates it.
 *
 * @throws {PermanentError} `not_provisioned`, with the command that creates it.
 */
export async function requireQueue(bus: Bus, queue: QueueName): Promise<void> {
  try {
    await askAgain(`find the queue ${queue.durable}`, () =>
      bus.manager.consumers.info(STREAMS.work, queue.durable),
    );
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
