import { isDeepStrictEqual } from "node:util";
import { JetStreamApiError, jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import type { Logger } from "pino";
import { describeError, PermanentError } from "../../errors.ts";
import { askAgain } from "../ask-again.ts";
import type { Bus } from "../connect-bus.ts";
import { requireLogFormat, ALL_STREAMS, STREAMS, type WantedStream } from "./topology.ts";
import { queueConfig, queueOfPool, SERVICE_QUEUES, type QueueName } from "../subjects/queues.ts";

/** JetStream error codes that can occur while provisioning. */
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;
/** Another process has created it meanwhile, perhaps with another configuration. */
const NAME_IN_USE = 10_058;
const NO_ROOM = [10_047, 10_023] as const;
/** The server is not in a cluster, or the cluster has too few servers for the replicas. */
const TOO_FEW_SERVERS = [10_074, 10_005] as const;

/** A request that a server drops while it elects a leader is never answered, so it is repeated soon. */
const IMPATIENT = { checkAPI: false, timeout: 2_000 } as const;

/** Copies of each message, each on a different server. */
export type Replicas = 1 | 3 | 5;

export type ProvisionOptions = {
  /** Pools that need queues, besides the services; default `default` alone. */
  readonly pools?: readonly string[];
  /** Of every stream, bucket and queue. Undefined: 1 for new ones, unchanged for existing ones. */
  readonly replicas?: Replicas | undefined;
  /** Gets a warning while JetStream does not answer. */
  readonly log?: Logger | undefined;
};

/**
 * Creates missing streams, buckets and queues, and updates the configuration of existing ones, including the number of replicas,
 * while they are in use. Sends no requests for those that are up to date. Can be called at any time and concurrently.
 * Unanswered JetStream requests are repeated for half a minute.
 *
 * Called only by the launcher and an administrator's command: services lack the permission and check with `requireStreams`.
 *
 * @throws {PermanentError} `no_room` when the server has no room for a missing one; `too_few_servers` when there are fewer
 *   servers than replicas; `log_format` when the existing plans were written by a version whose logs this one can't read.
 */
export async function provision(
  bus: Bus,
  { pools = ["default"], replicas, log }: ProvisionOptions = {},
): Promise<void> {
  const copies = replicas === undefined ? {} : { num_replicas: replicas };
  const manager = await askAgain("use JetStream", () => jetstreamManager(bus.connection, IMPATIENT), { log });
  const create = (stream: WantedStream): Promise<void> =>
    provisionStream({ ...bus, manager }, { ...stream, ...copies }, log);
  const [plans, ...others] = ALL_STREAMS;
  // First, so that nothing is changed if its log cannot be read.
  if (plans !== undefined) await create(plans);
  await Promise.all(others.map(create));
  // A queue has as many replicas as its stream.
  const queues = [...SERVICE_QUEUES, ...pools.map(queueOfPool)];
  await Promise.all(queues.map((queue) => provisionQueue(bus, queue, log)));
}

/** Creates the durable consumer that the workers of a queue share, or updates its configuration. */
export async function provisionQueue(bus: Bus, queue: QueueName, log?: Logger): Promise<void> {
  const wanted = queueConfig(queue);
  const { consumers } = bus.manager;
  await askAgain(
    `create the queue ${queue.durable}`,
    async () => {
      const stored = await consumers
        .info(STREAMS.work, queue.durable)
        .catch(undefinedWhen(CONSUMER_NOT_FOUND));
      if (stored === undefined) await consumers.add(STREAMS.work, wanted);
      else if (differs(stored.config, wanted)) await consumers.update(STREAMS.work, queue.durable, wanted);
    },
    { log },
  );
}

async function provisionStream(
  bus: Pick<Bus, "connection" | "manager">,
  wanted: WantedStream,
  log: Logger | undefined,
): Promise<void> {
  const { streams } = bus.manager;
  const attempt = async (): Promise<void> => {
    const stored = await streams.info(wanted.name).catch(undefinedWhen(STREAM_NOT_FOUND));
    if (stored !== undefined) {
      if (wanted.name === STREAMS.plans) requireLogFormat(stored);
      // Other programs write metadata too.
      const metadata = { ...stored.config.metadata, ...wanted.metadata };
      const merged = wanted.metadata === undefined ? wanted : { ...wanted, metadata };
      if (differs(stored.config, merged)) await streams.update(wanted.name, merged);
      return;
    }
    const added = await streams.add(wanted).catch(undefinedWhen(NAME_IN_USE));
    if (added === undefined) await streams.update(wanted.name, wanted);
  };
  try {
    await askAgain(`create the stream ${wanted.name}`, attempt, { log });
  } catch (error) {
    throw explained(error, bus, wanted);
  }
}

/** Whether any of the wanted fields has a different value. */
function differs<Config extends object>(stored: Config, wanted: Partial<Config>): boolean {
  const fields = Object.keys(wanted) as (keyof Config)[];
  return fields.some((field) => !isDeepStrictEqual(stored[field], wanted[field]));
}

function undefinedWhen(code: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof JetStreamApiError && error.code === code) return undefined;
    throw error;
  };
}

function explained(
  error: unknown,
  bus: Pick<Bus, "connection">,
  { name, num_replicas }: Partial<StreamConfig>,
): unknown {
  if (!(error instanceof JetStreamApiError)) return error;
  const { code } = error;
  if (TOO_FEW_SERVERS.some((one) => one === code)) return tooFewServers(bus, num_replicas ?? 1, error);
  if (NO_ROOM.some((one) => one === code))
    return new PermanentError(
      `nats-server has no room for the stream ${name}: its disk is full, or its limit for files is reached; make room and start again`,
      { code: "no_room", cause: error },
    );
  return new Error(`the stream ${name} cannot be created: ${describeError(error)}`, { cause: error });
}

function tooFewServers(
  { connection }: Pick<Bus, "connection">,
  replicas: number,
  cause: JetStreamApiError,
): PermanentError {
  const { cluster, connect_urls: known = [] } = connection.info ?? {};
  const found =
    cluster === undefined
      ? "this server is not in a cluster"
      : `the cluster ${cluster} has ${known.length === 1 ? "1 server" : `${known.length} servers`} that can be reached (${known.join(", ")})`;
  return new PermanentError(
    `NATS_REPLICAS=${replicas} needs a cluster of ${replicas} nats-servers with JetStream, and ${found}: start the others, or set NATS_REPLICAS=${replicas > 3 ? "3" : "1"}`,
    { code: "too_few_servers", cause },
  );
}
