import { type JetStreamManager, jetstreamManager, type StoredMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { askAgain } from "./ask-again.ts";
import type { Bus } from "./connect-bus.ts";
import { isStray } from "./subjects/check-writer.ts";
import { STREAMS } from "./streams/topology.ts";

/** A request sent during a leader election is never answered, so it is repeated soon. */
const ANSWER_WITHIN_MS = 1_000;
const WITHIN_MS = 12_000;

/** The last message of a subject, or its first message starting at a sequence. Wildcards are allowed. */
export type MessageQuery =
  | { readonly last_by_subj: string }
  | { readonly seq: number; readonly next_by_subj: string };

/**
 * Reads one message from the leader of its stream, so that the result includes everything acknowledged before, by any process.
 * In a cluster, any replica can answer direct gets and may lag behind. Without a cluster there is
 * only the leader, and a direct get is the cheaper request.
 *
 * While a cluster elects a leader, the request is repeated for twelve seconds.
 *
 * @returns Null when there is no such message.
 */
export async function readFromLeader(
  bus: Pick<Bus, "connection" | "manager">,
  stream: string,
  query: MessageQuery,
): Promise<StoredMsg | null> {
  if (!isClustered(bus)) return bus.manager.direct.getMessage(stream, query);
  const manager = await impatientManager(bus.connection);
  const read = (): Promise<StoredMsg | null> => manager.streams.getMessage(stream, query);
  return askAgain(`read ${stream}`, read, { withinMs: WITHIN_MS });
}

/** Whether the server belongs to a cluster, where replicas answer direct gets. */
export function isClustered({ connection }: Pick<Bus, "connection">): boolean {
  return connection.info?.cluster !== undefined;
}

const managers = new WeakMap<NatsConnection, Promise<JetStreamManager>>();

function impatientManager(connection: NatsConnection): Promise<JetStreamManager> {
  const known = managers.get(connection);
  if (known !== undefined) return known;
  const made = jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_WITHIN_MS });
  managers.set(connection, made);
  return made;
}

const STRAYS_MAX = 100;

/**
 * Returns the last message of the log on a subject that was written by the subject's writer: messages that a client had
 * the scheduler put there are skipped.
 */
export async function lastMessage(
  bus: Pick<Bus, "connection" | "manager">,
  subject: string,
): Promise<StoredMsg | undefined> {
  const last = await readFromLeader(bus, STREAMS.plans, { last_by_subj: subject });
  if (last === null || !isStray(subject, last.header)) return last ?? undefined;
  for (let from = 1, count = 0; count < STRAYS_MAX; count++) {
    const next = await readFromLeader(bus, STREAMS.plans, { seq: from, next_by_subj: subject });
    if (next === null || !isStray(subject, next.header)) return next ?? undefined;
    from = next.seq + 1;
  }
  return undefined;
}
