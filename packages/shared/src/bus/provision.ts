import { JetStreamApiError } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import { PermanentError } from "../errors.ts";
import { askAgain } from "./ask-again.ts";
import type { Bus } from "./connect-bus.ts";
import { queueConfig, queueOfPool, SERVICE_QUEUES, type QueueName } from "./queues.ts";
import { BUCKETS, OBJECT_BUCKET, STREAM_CONFIGS, STREAMS } from "./topology.ts";

/**
 * JetStream: the stream name is in use with another configuration; there is no room for it, which the server also
 * says of a stream that is there.
 */
const MAY_BE_THERE: readonly number[] = [10_058, 10_047];
const NO_ROOM = 10_047;
/** How long it can be seen that an entry of a bucket went because its time was over. */
const MARKER_TTL_MS = 10_000;

export type ProvisionOptions = {
  /** Pools whose queues are wanted besides those of the services; default `default` alone. */
  readonly pools?: readonly string[];
};

/**
 * Creates the streams, buckets and queues that are missing and brings the others to their configuration. May be called at any
 * time, and by several at the same time.
 *
 * Only the launcher and an administrator's command call it: services are not permitted to, and check with `requireStreams`.
 *
 * @throws {PermanentError} When the server has no room for one that is missing.
 */
export async function provision(bus: Bus, { pools = ["default"] }: ProvisionOptions = {}): Promise<void> {
  await Promise.all(STREAM_CONFIGS.map((config) => askAgain(() => provisionStream(bus, config))));
  const bucket = { history: 1, markerTTL: MARKER_TTL_MS };
  await Promise.all([
    ...Object.values(BUCKETS).map((name) => askAgain(() => new Kvm(bus.js).create(name, bucket))),
    askAgain(() => new Objm(bus.js).create(OBJECT_BUCKET)),
  ]);
  const queues = [...SERVICE_QUEUES, ...pools.map(queueOfPool)];
  await Promise.all(queues.map((queue) => provisionQueue(bus, queue)));
}

/** Creates the durable consumer that the workers of a queue share, or brings it to its configuration. */
export async function provisionQueue(bus: Bus, queue: QueueName): Promise<void> {
  const config = queueConfig(queue);
  try {
    await askAgain(() => bus.manager.consumers.add(STREAMS.work, config));
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    await bus.manager.consumers.update(STREAMS.work, queue.durable, config);
  }
}

async function provisionStream(bus: Bus, config: (typeof STREAM_CONFIGS)[number]): Promise<void> {
  try {
    await bus.manager.streams.add(config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || !MAY_BE_THERE.includes(error.code)) throw error;
    await bus.manager.streams.update(config.name, config).catch((cause: unknown) => {
      if (error.code === NO_ROOM) throw noRoom(config.name);
      throw new Error(`the stream ${config.name} cannot be made: ${error.message}`, { cause });
    });
  }
}

function noRoom(stream: string): PermanentError {
  return new PermanentError(
    `nats-server has no room for the stream ${stream}: its disk is full, or its limit for files is reached; make room and start again`,
    { code: "no_room" },
  );
}
