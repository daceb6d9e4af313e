import { JetStreamApiError } from "@nats-io/jetstream";
import { openBucket } from "./bucket.ts";
import { PermanentError } from "../errors.ts";
import type { Bus } from "./connect-bus.ts";
import { BUCKETS, STREAM_CONFIGS } from "./topology.ts";

/**
 * JetStream: the stream name is in use with another configuration; there is no room for it, which the server also
 * says of a stream that is there.
 */
const MAY_BE_THERE: readonly number[] = [10_058, 10_047];
const NO_ROOM = 10_047;

/**
 * Creates the streams and buckets that are missing and brings the others to their configuration.
 *
 * Every service calls it at its start, in any order and at the same time.
 *
 * @throws {PermanentError} When the server has no room for one that is missing.
 */
export async function provision(bus: Bus): Promise<void> {
  await Promise.all(STREAM_CONFIGS.map((config) => provisionStream(bus, config)));
  await Promise.all(Object.values(BUCKETS).map((bucket) => openBucket(bus, bucket)));
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
