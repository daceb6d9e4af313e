import type { StoredMsg } from "@nats-io/jetstream";
import type { Bus } from "./connect-bus.ts";
import { isStray } from "./check-writer.ts";
import { readFromLeader } from "./read-from-leader.ts";
import { STREAMS } from "./topology.ts";

const STRAYS_MAX = 100;

/**
 * The last message of the log on a subject that only its writer can have put there: what the scheduler was made to put
 * there is skipped, back to the first one that counts.
 */
export async function lastMessage(
  bus: Pick<Bus, "connection" | "manager">,
  subject: string,
): Promise<StoredMsg | undefined> {
  const last = await readFromLeader(bus, STREAMS.plans, { last_by_subj: subject });
  if (last === null || !isStray(subject, last.header)) return last ?? undefined;
  for (let from = 1, count = 0; count < STRAYS_MAX; count++) {
    const next = await readFromLeader(bus, STREAMS.plans, { seq: from, next_by_subj: subject });
    if (next === null || !isStray(subject, next.header)) return next ?? undefined;
    from = next.seq + 1;
  }
  return undefined;
}
