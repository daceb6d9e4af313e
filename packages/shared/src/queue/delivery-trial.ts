/**
 * Decides whether a message that was delivered before can be handled again, and beside which other work.
 *
 * A delivery can fail in three ways, each with its own limit:
 *   - its handling failed: {@link FAILURES_MAX};
 *   - its worker died while it ran only this message: {@link DEATHS_ALONE_MAX};
 *   - it was lost in any other way, for example when its worker died beside other work, or before it began: {@link LOST_MAX}.
 *
 * A message that was lost {@link SUSPECT_AFTER} times is a suspect. It runs alone for a period that doubles with each
 * further loss, so that work that kills its workers is identified, and the work beside it is not blamed.
 */
import type { Delivery } from "./delivery.ts";
import type { Leave, Turns } from "./turns.ts";
import type { Logger } from "pino";
import { z } from "zod";
import { type Bucket, openBucket } from "../bus/bucket.ts";
import type { Bus } from "../bus/connect-bus.ts";
import { BUCKETS } from "../bus/streams/topology.ts";

/** Longer than the time between any two deliveries of one message. */
const KEPT_SECONDS = 86_400;

/**
 * The history of a message's earlier deliveries, besides their number: how often its handling failed, and how
 * often a worker died while it ran only this message.
 *
 * Only messages with failures have a record, so that work that succeeds the first time costs nothing here.
 */
const DeliveryRecord = z.object({
  /** Deliveries that ended with an error of the handler. */
  failed: z.int().min(0),
  /** Deliveries in which the message ran alone, without a recorded end: its worker has died, or is running it now. */
  alone: z.int().min(0),
});
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

export const NO_RECORD: DeliveryRecord = { failed: 0, alone: 0 };

/** These functions never throw: without a record, the limit on all deliveries still applies. */
export type DeliveryRecords = {
  read(sequence: number): Promise<DeliveryRecord>;
  /** Returns whether it was stored. */
  write(sequence: number, record: DeliveryRecord): Promise<boolean>;
  forget(sequence: number): Promise<void>;
};

/** Opens the records on first use. */
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

const FAILURES_MAX = 5;
const DEATHS_ALONE_MAX = 5;
const LOST_MAX = 25;
const SUSPECT_AFTER = 2;
const TURN_MS = 500;
const TURN_MS_MAX = 30_000;

export type Trial = {
  /** Why the message must not be handled again; undefined when it can be. */
  readonly hopeless: string | undefined;
  /** Returns once the work can begin. Throws the signal's reason if it aborts first. */
  enter(taken: {
    readonly signal: AbortSignal;
    readonly onWait: () => void;
    readonly onBegin: () => void;
  }): Promise<Leave>;
  /** Counts a failure; returns the reason to dead-letter the message when it was the last one allowed. */
  failedOnceMore(): string | undefined;
  failures(): number;
  /** Updates the message's record before the delivery is answered. */
  close(answer: "ack" | "nak" | "term" | "leave"): Promise<void>;
};

type TrialDeps = { readonly records: DeliveryRecords; readonly turns: Turns };

export async function openTrial({ records, turns }: TrialDeps, delivery: Delivery): Promise<Trial> {
  const { sequence, deliveries } = delivery;
  const isFirst = deliveries === 1;
  let record = isFirst ? NO_RECORD : await records.read(sequence);
  let isRecorded = !isFirst;
  const lost = deliveries - 1 - record.failed;
  const note = async (change: Partial<DeliveryRecord>): Promise<boolean> => {
    record = { ...record, ...change };
    isRecorded = true;
    return records.write(sequence, record);
  };
  const { alone } = record;

  return {
    hopeless: hopelessness(record, lost),
    async enter({ signal, onWait, onBegin }) {
      if (lost < SUSPECT_AFTER) return turns.enter(signal);
      onWait();
      const leave = await turns.enterSuspect(
        {
          ms: Math.min(TURN_MS_MAX, TURN_MS * 2 ** (lost - SUSPECT_AFTER)),
          onAlone: () => note({ alone: alone + 1 }),
          onCompany: async () => void (await note({ alone })),
        },
        signal,
      );
      onBegin();
      return leave;
    },
    failedOnceMore() {
      record = { ...record, failed: record.failed + 1 };
      return record.failed >= FAILURES_MAX ? `failed ${record.failed} times` : undefined;
    },
    failures: () => record.failed,
    async close(answer) {
      if (answer === "nak") await note({ alone });
      else if (answer !== "leave" && isRecorded) await records.forget(sequence);
    },
  };
}

function hopelessness({ failed, alone }: DeliveryRecord, lost: number): string | undefined {
  if (failed >= FAILURES_MAX) return `failed ${failed} times`;
  if (alone >= DEATHS_ALONE_MAX) return `its worker died ${alone} times while it ran only this work`;
  if (lost >= LOST_MAX)
    return `delivered ${lost} times without a result: its workers died or lost their connection`;
  return undefined;
}
