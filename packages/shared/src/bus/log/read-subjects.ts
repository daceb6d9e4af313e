import { DeliverPolicy } from "@nats-io/jetstream";
import { askAgain } from "../ask-again.ts";
import type { Bus } from "../connect-bus.ts";
import { readFromLeader } from "../read-from-leader.ts";
import { ALL_PLANS } from "../subjects/subjects.ts";
import { STREAMS } from "../streams/topology.ts";

const EXPIRES_MS = 5_000;

/** From one sequence (inclusive) to another (exclusive), at most `max` events. */
type Range = { readonly from: number; readonly before: number; readonly max: number };

export type SubjectsPage = {
  readonly subjects: readonly string[];
  /** The sequence to continue from. */
  readonly next: number;
};

/**
 * Returns the subjects of the events between two sequences, at most `max` of them, without transferring the events'
 * contents.
 */
export function readSubjects(bus: Bus, range: Range): Promise<SubjectsPage> {
  return askAgain("read the subjects of the log", () => readOnce(bus, range));
}

async function readOnce(bus: Bus, { from, before, max }: Range): Promise<SubjectsPage> {
  const consumer = await bus.js.consumers.get(STREAMS.plans, {
    filter_subjects: [ALL_PLANS],
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
    headers_only: true,
  });
  try {
    // From the response to its creation.
    const { num_pending: stored } = await consumer.info(true);
    const subjects: string[] = [];
    let next = from;
    if (stored === 0) return { subjects, next: await nextOf(bus, next, before) };
    for await (const { seq, subject } of await consumer.fetch({
      max_messages: Math.min(stored, max),
      expires: EXPIRES_MS,
    })) {
      if (seq >= before) return { subjects, next: before };
      subjects.push(subject);
      next = seq + 1;
    }
    return { subjects, next: await nextOf(bus, next, before) };
  } finally {
    // If the deletion fails, the server removes it later.
    await consumer.delete().catch(() => undefined);
  }
}

/** Returns where to continue. The consumer may be on a replica that lags behind, so the leader decides whether more is left. */
async function nextOf(bus: Bus, seq: number, before: number): Promise<number> {
  const next = await readFromLeader(bus, STREAMS.plans, { seq, next_by_subj: ALL_PLANS });
  return next === null ? before : Math.min(next.seq, before);
}
