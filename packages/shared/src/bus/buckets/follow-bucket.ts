import type { MsgHdrs } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { describeError } from "../../errors.ts";
import { askAgain } from "../ask-again.ts";
import type { Bus } from "../connect-bus.ts";
import { onReconnect } from "../presence.ts";
import { readEach } from "../read-current.ts";
import { bucketStream } from "../streams/topology.ts";

/** After the last change, everything is read once more: two writers at a time may be heard in another order than stored. */
const READ_AGAIN_MS = 250;
/** A change that was not heard is known after so long. */
const READ_EVERY_MS = 30_000;
/** Messages of one answer. */
const BATCH = 1_000;

/** What was heard or read of a key. */
export type Change = {
  readonly key: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
};

/**
 * Tells of every entry of a small key-value bucket, and of every change soon after it was made; resolves once all present
 * entries have been told.
 *
 * It creates no consumer, so that no user needs the permission to: a user that may create consumers can have the server
 * deliver stored messages to any subject.
 *
 * @param onChanges - Of a whole reading, `isWhole`: keys that are not among the changes are gone.
 */
export async function followBucket(
  bus: Bus,
  {
    bucket,
    onChanges,
    log,
  }: {
    readonly bucket: string;
    readonly onChanges: (changes: readonly Change[], isWhole: boolean) => void;
    readonly log: Logger;
  },
): Promise<AsyncDisposable> {
  const prefix = `$KV.${bucket}.`;
  /** What was heard while everything is being read: it is newer. */
  let heard = new Map<string, Change>();
  const readAll = async (): Promise<void> => {
    heard = new Map();
    const changes = new Map<string, Change>();
    const entries = readEach(bus, bucketStream(bucket), { next_by_subj: `${prefix}>`, batch: BATCH });
    for await (const { subject, header: headers, data } of entries) {
      const key = subject.slice(prefix.length);
      changes.set(key, { key, headers, data });
    }
    for (const [key, change] of heard) changes.set(key, change);
    onChanges([...changes.values()], true);
  };

  let reading = Promise.resolve();
  const readSoon = (): void => {
    const read = async (): Promise<void> => {
      try {
        await readAll();
      } catch (error) {
        log.warn({ bucket, reason: describeError(error) }, "could not read bucket");
      }
    };
    reading = reading.then(read);
  };
  let again: NodeJS.Timeout | undefined;
  const subscription = bus.connection.subscribe(`${prefix}>`, {
    callback: (error, message) => {
      if (error !== null) return;
      const { subject, headers, data } = message;
      const change = { key: subject.slice(prefix.length), headers, data };
      heard.set(change.key, change);
      onChanges([change], false);
      clearTimeout(again);
      again = setTimeout(readSoon, READ_AGAIN_MS).unref();
    },
  });
  const regularly = setInterval(readSoon, READ_EVERY_MS).unref();
  const reconnects = onReconnect(bus, readSoon);
  // The subscription is there before everything is read: nothing is missed in between.
  await bus.connection.flush();
  await askAgain(`read the bucket ${bucket}`, readAll, { log });
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(again);
      clearInterval(regularly);
      reconnects[Symbol.dispose]();
      subscription.unsubscribe();
      await reading;
    },
  };
}
