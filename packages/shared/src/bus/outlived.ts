/** Entries that a server still shows although their time is over. */
import { PubHeaders } from "@nats-io/jetstream";
import type { MsgHdrs } from "@nats-io/transport-node";

/** What says how long an entry lives. */
export type Aging = {
  /** When it was stored, in milliseconds of Unix time, by the stream's leader. */
  readonly atMs: number;
  readonly headers: Pick<MsgHdrs, "get"> | undefined;
};

/**
 * Without the entries whose time to live was over when the newest of them was stored.
 *
 * A nats-server (seen with 2.15) that was killed and comes back after such an entry has expired keeps it for good, while the
 * other servers of its cluster have dropped it. The newest entry stands for the present: no clock but the stream's is asked.
 */
export function withoutOutlived<Entry extends Aging>(entries: readonly Entry[]): Entry[] {
  const nowMs = entries.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  return entries.filter(({ atMs, headers }) => {
    const ttl = /^(\d+)s?$/.exec(headers?.get(PubHeaders.MessageTTL) ?? "")?.[1];
    return ttl === undefined || atMs + 1_000 * Number(ttl) > nowMs;
  });
}
