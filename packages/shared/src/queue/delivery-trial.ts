/**
 * What becomes of a message that was delivered before: whether it may be handled again, and beside which other work.
 *
 * A delivery can end in three ways that are no success, and each has its own limit:
 *   - its handling failed: {@link FAILURES_MAX};
 *   - its worker died while it ran this message and nothing else: {@link DEATHS_ALONE_MAX};
 *   - it was lost in any other way, as when its worker died beside other work, or before it began: {@link LOST_MAX}.
 *
 * A message that was lost {@link SUSPECT_AFTER} times is a suspect. It runs alone for a while that doubles with each
 * further loss, so that the work which kills its workers is found out, and the work beside it is not blamed.
 */
import type { Delivery } from "./delivery.ts";
import { type DeliveryRecord, type DeliveryRecords, NO_RECORD } from "./delivery-records.ts";
import type { Leave, Turns } from "./turns.ts";

const FAILURES_MAX = 5;
const DEATHS_ALONE_MAX = 5;
const LOST_MAX = 25;
const SUSPECT_AFTER = 2;
const TURN_MS = 500;
const TURN_MS_MAX = 30_000;

export type Trial = {
  /** Why the message is not handled again; undefined when it is. */
  readonly hopeless: string | undefined;
  /** Returns once the work may begin. Throws the signal's reason when it aborts before. */
  enter(taken: {
    readonly signal: AbortSignal;
    readonly onWait: () => void;
    readonly onBegin: () => void;
  }): Promise<Leave>;
  /** Counts a failure; returns what there is to say when it was the last one allowed. */
  failedOnceMore(): string | undefined;
  failures(): number;
  /** Brings the message's record up to date, before the delivery is answered. */
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
