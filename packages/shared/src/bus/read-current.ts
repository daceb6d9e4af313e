/**
 * Reads what the leader of a stream has. In a cluster, direct gets are answered by any replica, which may be behind: it may lack
 * the last messages, and still show deleted ones. Outside of one there is only the leader, and one direct get reads many messages.
 */
import type { StoredMsg } from "@nats-io/jetstream";
import type { Bus } from "./connect-bus.ts";
import { isClustered, readFromLeader } from "./read-from-leader.ts";
import { TransientError } from "../errors.ts";

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

/** What one answer may take up in memory; it ends early above. */
const BYTES_MAX = 4 * 1024 * 1024;
/** Between two messages of one answer. */
const SILENCE_MS = 10_000;

/** What to read: `batch` messages of a subject from a sequence on, or the last ones of several subjects. */
export type StoredQuery =
  | { readonly seq: number; readonly next_by_subj: string; readonly batch: number }
  | { readonly multi_last: string[] };

/**
 * Reads stored messages in stream order, without a consumer. None is no error; fewer than asked for are no sign that
 * there are no more.
 *
 * The client's own iterator keeps its subscription for seconds after the last message, and waits for ever when the
 * connection is lost in between.
 *
 * @throws {TransientError} When the server falls silent in the middle of its answer.
 */
export function readStored({ manager }: Bus, stream: string, query: StoredQuery): Promise<StoredMsg[]> {
  const found: StoredMsg[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<StoredMsg[]>();
  const silent = (): void => reject(new TransientError(`${stream} stopped answering`));
  let timer = setTimeout(silent, SILENCE_MS);
  const callback = (done: { err?: Error } | null, message: StoredMsg): void => {
    clearTimeout(timer);
    if (done === null) {
      found.push(message);
      timer = setTimeout(silent, SILENCE_MS);
    } else if (done.err === undefined || isNotFound(done.err)) resolve(found);
    else reject(done.err);
  };
  // Over a closed connection the client throws: as a rejection, it ends the timer too.
  const request = Promise.try(() =>
    "multi_last" in query
      ? manager.direct.getLastMessagesFor(stream, { ...query, callback })
      : manager.direct.getBatch(stream, { ...query, max_bytes: BYTES_MAX, callback }),
  );
  request.catch(reject);
  return promise.finally(() => clearTimeout(timer));
}

/** The server's word for "no message from here on". */
function isNotFound(error: Error): boolean {
  return "code" in error && error.code === 404;
}
