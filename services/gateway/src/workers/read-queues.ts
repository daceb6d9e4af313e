/** The work queues as counted by the server: one for each pool, and for each other role that takes work. */
import type { ConsumerInfo } from "@nats-io/jetstream";
import { type Bus, STREAMS } from "@planwright/shared/bus";

const QUEUES_MAX = 1_000;
/** The number of queues, the deepest first, whose oldest message is looked up, one request each. */
const OLDEST_ASKED_MAX = 50;

export type Queue = {
  /** The name of the consumer that its workers share. */
  readonly name: string;
  /** Messages not delivered yet. */
  readonly waiting: number;
  /** Messages delivered to workers, or waiting for redelivery. */
  readonly inHand: number;
  readonly redelivered: number;
  /** When the first of the waiting messages was stored; absent when none waits, or it was not looked up. */
  readonly oldestAt?: Date;
};

/** Reads from the server: one request for each 256 queues, and one for each queue with messages. */
export async function readQueues(bus: Bus): Promise<readonly Queue[]> {
  const infos: ConsumerInfo[] = [];
  for await (const info of bus.manager.consumers.list(STREAMS.work)) {
    if (infos.push(info) === QUEUES_MAX) break;
  }
  const waiting = infos.filter(({ num_pending }) => num_pending > 0);
  const asked = waiting.toSorted((left, right) => right.num_pending - left.num_pending);
  const oldest = new Map(
    await Promise.all(
      asked
        .slice(0, OLDEST_ASKED_MAX)
        .map(async (info) => [info.name, await firstWaiting(bus, info)] as const),
    ),
  );
  return infos.map((info) => queueOf(info, oldest.get(info.name)));
}

function queueOf(info: ConsumerInfo, oldestAt: Date | undefined): Queue {
  return {
    name: info.name,
    waiting: info.num_pending,
    inHand: info.num_ack_pending,
    redelivered: info.num_redelivered,
    ...(oldestAt === undefined ? {} : { oldestAt }),
  };
}

/** Messages are delivered in stream order, so the first one after the last delivered has waited longest. */
async function firstWaiting(
  bus: Bus,
  { delivered, config: { filter_subject: subject } }: ConsumerInfo,
): Promise<Date | undefined> {
  // The client's type knows only one of the two; the server accepts both.
  const next = { seq: delivered.stream_seq + 1, next_by_subj: subject ?? ">" };
  return (await bus.manager.streams.getMessage(STREAMS.work, next))?.time;
}
