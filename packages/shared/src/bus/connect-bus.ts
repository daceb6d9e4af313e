import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { createInbox, errors, type NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { connectNats } from "../access/connect-nats.ts";
import { connectionAccess, type NatsAccess } from "../access/nats-access.ts";
import { PermanentError } from "../errors.ts";
import { askAgain } from "./ask-again.ts";
import { OwnRecords } from "./log/own-records.ts";
import { createOutbox, type Outbox } from "./outbox.ts";

/** Older servers accept schedules and expectations and silently ignore them. */
const SERVER_VERSION_MIN = [2, 14] as const;

/** Refusals to log per connection. */
const REFUSALS_LOGGED_MAX = 20;

export type Bus = AsyncDisposable & {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
  /** For messages that can wait until the end of this turn of the event loop. */
  readonly outbox: Outbox;
  /** The records that this process has just published to the log. */
  readonly own: OwnRecords;
  /** The largest message that the server accepts, in bytes. */
  readonly payloadBytesMax: number;
  /** Returns a subject for replies that no other user can read. */
  newInbox(): string;
  /** Settles when the connection has been closed for good, with the error if there was one. */
  readonly closed: Promise<void>;
};

/**
 * Connects to NATS, waiting for it until `signal` aborts; afterwards it reconnects forever.
 *
 * Disposing drains the connection: published messages are flushed, messages in progress can still be acknowledged. Without a
 * server it closes.
 *
 * @param options.log - Receives which servers were tried and why there is no connection, and the server's permission errors.
 * @throws {PermanentError} When the server is older than 2.14 or has no JetStream.
 */
export async function connectBus({
  name,
  signal,
  log,
  ...access
}: NatsAccess & {
  name: string;
  signal?: AbortSignal;
  log?: Logger;
}): Promise<Bus> {
  const connection = await connectNats(access, {
    name,
    signal,
    onTrouble: (where, why) => log?.warn({ where, why }, "no connection to NATS, trying again"),
  });
  if (log !== undefined) void logRefusals(connection, log);
  const { inboxPrefix } = connectionAccess(access);
  try {
    refuseOldServer(connection);
    const manager = await askAgain("use JetStream", () => jetstreamManager(connection), {
      log,
      signal,
    });
    return makeBus(connection, { manager, inboxPrefix });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function makeBus(
  connection: NatsConnection,
  { manager, inboxPrefix }: { manager: JetStreamManager; inboxPrefix: string | undefined },
): Bus {
  let draining: Promise<void> | undefined;
  const outbox = createOutbox(connection);
  return {
    connection,
    outbox,
    own: new OwnRecords(),
    js: jetstream(connection),
    manager,
    newInbox: () => createInbox(inboxPrefix),
    payloadBytesMax: connection.info?.max_payload ?? 1024 * 1024,
    closed: connection.closed().then((error) => {
      if (error instanceof Error) throw error;
    }),
    async [Symbol.asyncDispose]() {
      outbox.flush();
      // A second drain is an error of the client; a second disposal is not.
      draining ??= connection.isClosed() ? Promise.resolve() : drainOrClose(connection);
      await draining;
    },
  };
}

/** The client library rejects a drain during which the connection is lost, and keeps reconnecting. */
async function drainOrClose(connection: NatsConnection): Promise<void> {
  try {
    await connection.drain();
  } catch {
    await connection.close();
  }
}

/** Logs what the user's allow-list lacks: without that, a refused publish looks like a server that does not answer. */
async function logRefusals(connection: NatsConnection, log: Logger): Promise<void> {
  const seen = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type !== "error" || !(status.error instanceof errors.PermissionViolationError)) continue;
    const { operation, subject } = status.error;
    const refusal = `${operation} ${subject}`;
    if (seen.has(refusal) || seen.size >= REFUSALS_LOGGED_MAX) continue;
    seen.add(refusal);
    log.error(
      { operation, subject },
      "NATS does not permit it: the allow-list of this user lacks the subject",
    );
  }
}

function refuseOldServer(connection: NatsConnection): void {
  const version = connection.info?.version ?? "unknown";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = SERVER_VERSION_MIN;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new PermanentError(
    `nats-server ${wantedMajor}.${wantedMinor} or newer is required, but this is ${version}`,
    {
      code: "nats_too_old",
    },
  );
}
