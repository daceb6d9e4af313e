/**
 * Reads from the leader of a stream. In a cluster, any replica can answer direct gets and may lag behind: it may lack the last
 * messages and still show deleted ones. Without a cluster there is only the leader, and one direct get reads many messages.
 */
import type { StoredMsg } from "@nats-io/jetstream";
import type { Bus } from "./connect-bus.ts";
import { isClustered, readFromLeader } from "./read-from-leader.ts";
import { TransientError } from "../errors.ts";

/** Concurrent reads from the leader per caller. */
const AT_ONCE = 64;

/**
 * Reads the next messages of a subject in stream order; returns none only if the leader has none. Replicas answer as far as they
 * are up to date, so deleted messages may still be included.
 *
 * @param query.batch - Number of messages; fewer do not mean that there are no more.
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
 * Reads the last message of each subject from the leader, in stream order, however many subjects there are.
 *
 * @param subjects - Wildcards are allowed.
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

/** Limit for the memory of one answer; larger answers end early. */
const BYTES_MAX = 4 * 1024 * 1024;
/** Limit for the time between two messages of one answer. */
const SILENCE_MS = 10_000;

/** What to read: `batch` messages of a subject, starting at a sequence, or the last messages of several subjects. */
export type StoredQuery =
  | { readonly seq: number; readonly next_by_subj: string; readonly batch: number }
  | { readonly multi_last: string[] };

/**
 * Reads stored messages in stream order, without a consumer. Returning none is not an error; fewer than requested do not mean
 * that there are no more.
 *
 * The client's own iterator keeps its subscription for seconds after the last message, and waits forever when the
 * connection is lost in between.
 *
 * @throws {TransientError} When the server stops in the middle of its answer.
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
  // The client throws if the connection is closed; as a rejection, this also ends the timer.
  const request = Promise.try(() =>
    "multi_last" in query
      ? manager.direct.getLastMessagesFor(stream, { ...query, callback })
      : manager.direct.getBatch(stream, { ...query, max_bytes: BYTES_MAX, callback }),
  );
  request.catch(reject);
  return promise.finally(() => clearTimeout(timer));
}

/** The server's answer for "no message from here on". */
function isNotFound(error: Error): boolean {
  return "code" in error && error.code === 404;
}
