import { type Bus, STREAMS } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";

/** A replica may not know the last message yet. */
const READS_MAX = 100;

/**
 * The first message of the log on a subject on which there is one; wildcards count.
 *
 * @throws {TransientError} When the log does not show it yet.
 */
export async function firstMessage(bus: Bus, subject: string): Promise<unknown> {
  for (let reads = 0; reads < READS_MAX; reads++) {
    const message = await bus.manager.direct.getMessage(STREAMS.plans, { seq: 1, next_by_subj: subject });
    if (message !== null) return message.json();
  }
  throw new TransientError(`the log does not yet show what is on ${subject}`);
}
