/**
 * Sessions that were ended before they expire: kept in a bucket of NATS, which every gateway follows, for as long as their cookies
 * would be valid.
 *
 * Invariants:
 *   SESSIONS-1. A session that has ended is refused by every gateway that has heard of it, and by none that may not have heard of
 *               it: one that is cut off from NATS, or could not read the bucket for a minute, refuses all sessions.
 *   SESSIONS-2. What is open in a session ends with it.
 *   SESSIONS-3. An ended session never returns: nothing but its expiry removes it from the list.
 */
import { type Bus, BUCKETS, followBucket, openBucket } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import { Problem } from "../http/problem.ts";
import { watchFreshness } from "../keys/freshness.ts";

/** Longer than the clocks of two machines differ. */
const MARGIN_S = 3_600;
const SWEEP_MS = 60_000;

/** A session as its cookie has it. */
export type SessionId = { readonly id: string; readonly expiresAt: Date };

export type EndedSessions = AsyncDisposable & {
  /** @throws {Problem} `unavailable` when it may have ended without this gateway knowing. */
  has(session: SessionId): boolean;
  /** Aborts when the session ends. @param expiry - Aborts when it expires. */
  signalOf(session: SessionId, expiry: AbortSignal): AbortSignal;
  /** Ends a session on every gateway. @throws {Problem} `unavailable` when that cannot be stored. */
  end(session: SessionId): Promise<void>;
};

type Open = { readonly ending: AbortController; readonly signal: AbortSignal; readonly expiresMs: number };

export async function openEndedSessions(
  bus: Bus,
  {
    now,
    monotonicMs,
    log,
  }: { readonly now: () => Date; readonly monotonicMs: () => number; readonly log: Logger },
): Promise<EndedSessions> {
  const bucket = await openBucket(bus, BUCKETS.endedSessions);
  const known = listSessions();
  const freshness = watchFreshness(bus, monotonicMs, "whether this session has ended");
  const following = await followBucket(bus, {
    bucket: BUCKETS.endedSessions,
    log,
    onChanges(changes, isWhole) {
      for (const { key, data } of changes) {
        const expiresMs = Number(Buffer.from(data).toString());
        // An entry whose time is over leaves an empty message for a moment.
        if (expiresMs > 0) known.end(key, expiresMs);
      }
      if (isWhole) freshness.renew();
    },
  });
  const sweep = setInterval(() => known.forget(now().getTime()), SWEEP_MS).unref();

  return {
    has({ id }) {
      freshness.require();
      return known.hasEnded(id);
    },
    signalOf: (session, expiry) => known.signalOf(session, expiry),
    async end({ id, expiresAt }) {
      const leftS = Math.max(0, Math.ceil((expiresAt.getTime() - now().getTime()) / 1_000));
      try {
        await bucket.write(id, String(expiresAt.getTime()), { ttlSeconds: leftS + MARGIN_S });
      } catch (cause) {
        throw new Problem("unavailable", "the end of the session could not be stored; try again", {
          cause,
          retryAfterS: 1,
        });
      }
      known.end(id, expiresAt.getTime());
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweep);
      freshness[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

/** The sessions that this gateway knows: in which something may be open, and which have ended. */
function listSessions() {
  const open = new Map<string, Open>();
  /** When each expires. */
  const ended = new Map<string, number>();
  return {
    hasEnded: (id: string): boolean => ended.has(id),
    end(id: string, expiresMs: number): void {
      ended.set(id, Math.max(expiresMs, ended.get(id) ?? 0));
      open.get(id)?.ending.abort(new Problem("unauthorized", "the session has ended"));
      open.delete(id);
    },
    signalOf({ id, expiresAt }: SessionId, expiry: AbortSignal): AbortSignal {
      const known = open.get(id);
      // What is open ends after a day, also in a session that lasts longer.
      if (known?.signal.aborted === false) return known.signal;
      const ending = new AbortController();
      const signal = AbortSignal.any([ending.signal, expiry]);
      open.set(id, { ending, signal, expiresMs: expiresAt.getTime() });
      return signal;
    },
    /** Lets go of what has expired. */
    forget(nowMs: number): void {
      for (const [id, expiresMs] of ended) if (expiresMs <= nowMs) ended.delete(id);
      for (const [id, { expiresMs }] of open) if (expiresMs <= nowMs) open.delete(id);
    },
  };
}
