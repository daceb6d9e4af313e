import { type Bus, isStray, readFromLeader, STREAMS } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";

/** A replica may not know the last message yet. */
const READS_MAX = 100;

/**
 * The first message of the log on a subject on which there is one; wildcards count.
 *
 * @throws {TransientError} When the log does not show it yet.
 */
export async function firstMessage(bus: Bus, subject: string): Promise<unknown> {
  let from = 1;
  for (let reads = 0; reads < READS_MAX; reads++) {
    const message = await readFromLeader(bus, STREAMS.plans, { seq: from, next_by_subj: subject });
    if (message === null) continue;
    if (!isStray(message.subject, message.header)) return message.json();
    from = message.seq + 1;
  }
  throw new TransientError(`the log does not show the message on ${subject} yet`);
}
