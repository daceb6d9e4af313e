import type { StoredMsg } from "@nats-io/jetstream";
import { TransientError } from "../errors.ts";
import type { Bus } from "./connect-bus.ts";

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
