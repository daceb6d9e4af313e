/**
 * Reads what the leader of a stream has. In a cluster, direct gets are answered by any replica, which may be behind: it may lack
 * the last messages, and still show deleted ones. Outside of one there is only the leader, and one direct get reads many messages.
 */
import type { StoredMsg } from "@nats-io/jetstream";
import type { Bus } from "./connect-bus.ts";
import { isClustered, readFromLeader } from "./read-from-leader.ts";
import { readStored } from "./read-stored.ts";

/** Reads from the leader that one caller sends simultaneously. */
const AT_ONCE = 64;

/**
 * Reads the next messages of a subject in stream order: none only if the leader has none. Replicas answer as far as they are up
 * to date, so a deleted message may still be among them.
 *
 * @param query.batch - How many messages; fewer are no sign that there are no more.
 */
export async function readNext(
  bus: Bus,
  stream: string,
  query: { readonly seq: number; readonly next_by_subj: string; readonly batch: number },
): Promise<StoredMsg[]> {
  const read = await readStored(bus, stream, query);
  if (read.length > 0 || !isClustered(bus)) return read;
  const { seq, next_by_subj } = query;
  const next = await readFromLeader(bus, stream, { seq, next_by_subj });
  return next === null ? [] : [next];
}

/** Reads all messages of a subject in stream order, in batches, each as {@link readNext} does. */
export async function* readEach(
  bus: Bus,
  stream: string,
  query: { readonly next_by_subj: string; readonly batch: number },
): AsyncGenerator<StoredMsg> {
  for (let seq = 1; ; ) {
    const messages = await readNext(bus, stream, { ...query, seq });
    const last = messages.at(-1);
    if (last === undefined) return;
    yield* messages;
    seq = last.seq + 1;
  }
}

/**
 * Reads the last message of each subject as the leader has it, in stream order, however many subjects there are.
 *
 * @param subjects - Wildcards count.
 */
export async function readLastOfEach(
  bus: Bus,
  stream: string,
  subjects: readonly string[],
): Promise<StoredMsg[]> {
  if (subjects.length === 0) return [];
  if (!isClustered(bus)) {
    const read = await readStored(bus, stream, { multi_last: [...subjects] }).catch(undefinedIfTooMany);
    if (read !== undefined) return read;
  }
  const known = [...new Set((await Promise.all(subjects.map((one) => matching(bus, stream, one)))).flat())];
  const found: StoredMsg[] = [];
  for (let start = 0; start < known.length; start += AT_ONCE) {
    const some = known.slice(start, start + AT_ONCE);
    const read = await Promise.all(some.map((last_by_subj) => readFromLeader(bus, stream, { last_by_subj })));
    found.push(...read.filter((message) => message !== null));
  }
  return found.toSorted((left, right) => left.seq - right.seq);
}

async function matching(bus: Bus, stream: string, subject: string): Promise<string[]> {
  return /[*>]/.test(subject) ? storedSubjects(bus, stream, subject) : [subject];
}

/** Lists the subjects of stored messages that match a filter. */
export async function storedSubjects({ manager }: Bus, stream: string, filter: string): Promise<string[]> {
  const { state } = await manager.streams.info(stream, { subjects_filter: filter });
  return Object.keys(state.subjects ?? {});
}

/** One answer holds the last messages of 1,024 subjects. */
function undefinedIfTooMany(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === 413) return undefined;
  throw error;
}
