import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { PermanentError } from "../errors.ts";
import { awaitServer } from "./await-server.ts";
import { createOutbox, type Outbox } from "./outbox.ts";

/** Older servers accept schedules and expectations and silently ignore them. */
const SERVER_VERSION_MIN = [2, 14] as const;

/** A connection that carries nothing any more is given up after some six seconds. */
export const PINGS = { pingInterval: 2_000, maxPingOut: 2 } as const;

export type Bus = AsyncDisposable & {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
  /** For messages that may wait until the end of this turn of the event loop. */
  readonly outbox: Outbox;
  /** The largest message the server takes, in bytes. */
  readonly payloadBytesMax: number;
  /** Settles when the connection has been closed for good, with the fault if there was one. */
  readonly closed: Promise<void>;
};

/**
 * Connects to NATS and waits for it as long as `signal` allows; afterwards it reconnects for ever.
 *
 * Disposing drains: what was published is flushed, what is in hand may still be acknowledged.
 *
 * @param options.log - Told when no server answers at first: where it is looked for, and why not.
 * @throws {PermanentError} When the server is older than 2.14 or has no JetStream.
 */
export async function connectBus({
  url,
  name,
  signal,
  log,
}: {
  url: string;
  name: string;
  signal?: AbortSignal;
  log?: Logger;
}): Promise<Bus> {
  signal?.throwIfAborted();
  const servers = url.split(",").map((server) => server.trim());
  await awaitServer(servers, {
    signal,
    onWaiting: (where, why) => log?.warn({ where, why }, "waiting for NATS: nothing answers there"),
  });
  const connection = await connect({
    servers,
    name,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    // A network that forgot the connection tells nobody: without these pings it would be believed for minutes.
    ...PINGS,
    // Two Error objects a request, for stack traces nobody reads, halve the publishing rate.
    noAsyncTraces: true,
  });
  try {
    refuseOldServer(connection);
    const manager = await jetstreamManager(connection);
    return makeBus(connection, manager);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function makeBus(connection: NatsConnection, manager: JetStreamManager): Bus {
  let draining: Promise<void> | undefined;
  const outbox = createOutbox(connection);
  return {
    connection,
    outbox,
    js: jetstream(connection),
    manager,
    payloadBytesMax: connection.info?.max_payload ?? 1024 * 1024,
    closed: connection.closed().then((error) => {
      if (error instanceof Error) throw error;
    }),
    async [Symbol.asyncDispose]() {
      outbox.flush();
      // A second drain is an error of the client; a second disposal is not.
      draining ??= connection.isClosed() ? Promise.resolve() : connection.drain();
      await draining;
    },
  };
}

function refuseOldServer(connection: NatsConnection): void {
  const version = connection.info?.version ?? "unknown";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = SERVER_VERSION_MIN;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new PermanentError(
    `nats-server ${wantedMajor}.${wantedMinor} or newer is needed, this one is ${version}`,
    {
      code: "nats_too_old",
    },
  );
}
