import { type JetStreamManager, jetstreamManager, type StoredMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { askAgain } from "./ask-again.ts";
import type { Bus } from "./connect-bus.ts";
import { isStray } from "./subjects/check-writer.ts";
import { STREAMS } from "./streams/topology.ts";

/** A request that comes while a leader is elected is never answered: it is better sent again soon. */
const ANSWER_WITHIN_MS = 1_000;
const WITHIN_MS = 12_000;

/** The last message of a subject, or the first one of it from a sequence on. Wildcards count. */
export type MessageQuery =
  | { readonly last_by_subj: string }
  | { readonly seq: number; readonly next_by_subj: string };

/**
 * Reads one message as the leader of its stream has it, so that everything is seen that was acknowledged before, by whichever
 * process it was written. In a cluster, direct gets are answered by any replica, which may be behind. Outside of one there is
 * only the leader, and a direct get is the cheaper request.
 *
 * While a cluster elects a leader it is asked again, for twelve seconds.
 *
 * @returns Null when there is none.
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
 * The last message of the log on a subject that only its writer can have put there: what the scheduler was made to put
 * there is skipped, back to the first one that counts.
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
