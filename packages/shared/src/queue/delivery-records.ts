/**
 * What is known of a message's earlier deliveries, besides how many there were: how often its handling failed, and how
 * often a worker died while it ran this message and nothing else.
 *
 * Only messages that were in trouble have a record, so that work that succeeds the first time costs nothing here.
 */
import type { Logger } from "pino";
import { z } from "zod";
import { type Bucket, openBucket } from "../bus/bucket.ts";
import type { Bus } from "../bus/connect-bus.ts";
import { BUCKETS } from "../bus/topology.ts";

/** Longer than the time between any two deliveries of one message. */
const KEPT_SECONDS = 86_400;

const DeliveryRecord = z.object({
  /** Deliveries that ended with an error of the handler. */
  failed: z.int().min(0),
  /** Deliveries in which the message ran alone, without a recorded end: its worker has died, or runs it now. */
  alone: z.int().min(0),
});
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

export const NO_RECORD: DeliveryRecord = { failed: 0, alone: 0 };

/** None of these throws: without a record, the limit on all deliveries still holds. */
export type DeliveryRecords = {
  read(sequence: number): Promise<DeliveryRecord>;
  /** Returns whether it was stored. */
  write(sequence: number, record: DeliveryRecord): Promise<boolean>;
  forget(sequence: number): Promise<void>;
};

/** Opens the records when they are first needed. */
export function deliveryRecords(bus: Bus, log: Logger): DeliveryRecords {
  let opened: Promise<Bucket> | undefined;
  const withBucket = async <Result>(
    use: (bucket: Bucket) => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> => {
    try {
      opened ??= openBucket(bus, BUCKETS.deliveries);
      return await use(await opened);
    } catch (err) {
      opened = undefined;
      log.warn({ err }, "delivery records unavailable");
      return otherwise;
    }
  };
  return {
    read: (sequence) =>
      withBucket(async (bucket) => {
        const value = (await bucket.get(String(sequence)))?.value;
        return value === undefined ? NO_RECORD : DeliveryRecord.parse(JSON.parse(value));
      }, NO_RECORD),
    write: (sequence, record) =>
      withBucket(async (bucket) => {
        await bucket.write(String(sequence), JSON.stringify(record), { ttlSeconds: KEPT_SECONDS });
        return true;
      }, false),
    forget: async (sequence) => void (await withBucket((bucket) => bucket.remove(String(sequence)), false)),
  };
}
