/**
 * Sessions that ended before they expired: kept in a NATS bucket that every gateway follows, for as long as their cookies would
 * be valid.
 *
 * Invariants:
 *   SESSIONS-1. A gateway that knows that a session has ended refuses it; one that may not know admits no sessions at all: a
 *               gateway that is cut off from NATS, or could not read the bucket for a minute, refuses all of them.
 *   SESSIONS-2. Connections opened in a session end with it.
 *   SESSIONS-3. An ended session never returns: only its expiry removes it from the list.
 *   SESSIONS-4. Ending all sessions of a user ends those that have begun, but none that begins some seconds later.
 */
import { type Bus, BUCKETS, followBucket, openBucket } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import { Problem } from "../http/problem.ts";
import { watchFreshness } from "../keys/freshness.ts";

/** Longer than the clocks of two machines differ. */
const MARGIN_S = 3_600;
const SWEEP_MS = 60_000;

/** Sessions that began on a gateway whose clock is ahead end too. */
const CLOCKS_MS = 5_000;
/** Prefix of the entries that end all sessions of a user; session ids contain no dot. */
const USER_PREFIX = "user.";

/** A session as stored in its cookie. */
type SessionId = {
  readonly id: string;
  readonly identity: string;
  readonly beganAt: Date;
  readonly expiresAt: Date;
};

export type EndedSessions = AsyncDisposable & {
  /** @throws {Problem} `unavailable` when it may have ended without this gateway knowing. */
  has(session: SessionId): boolean;
  /** Aborts when the session ends. @param expiry - Aborts when the session expires. */
  signalOf(session: SessionId, expiry: AbortSignal): AbortSignal;
  /** Ends a session on every gateway. @throws {Problem} `unavailable` when that cannot be stored. */
  end(session: Pick<SessionId, "id" | "expiresAt">): Promise<void>;
  /**
   * Ends all sessions of a user that have begun, on every gateway. @throws {Problem} `unavailable` when that cannot be stored.
   */
  endAllOf(identity: string): Promise<void>;
};

type Open = {
  readonly session: SessionId;
  readonly ending: AbortController;
  readonly signal: AbortSignal;
};

export async function openEndedSessions(
  bus: Bus,
  {
    sessionLifeMs,
    now,
    monotonicMs,
    log,
  }: {
    readonly sessionLifeMs: number;
    readonly now: () => Date;
    readonly monotonicMs: () => number;
    readonly log: Logger;
  },
): Promise<EndedSessions> {
  const bucket = await openBucket(bus, BUCKETS.endedSessions);
  const known = listSessions(sessionLifeMs);
  const write = async (key: string, untilMs: number, lifeMs: number): Promise<void> => {
    const ttlSeconds = Math.max(0, Math.ceil(lifeMs / 1_000)) + MARGIN_S;
    try {
      await bucket.write(key, String(untilMs), { ttlSeconds });
    } catch (cause) {
      throw new Problem("unavailable", "the end of the session could not be stored; try again", {
        cause,
        retryAfterS: 1,
      });
    }
    known.take(key, untilMs);
  };
  const freshness = watchFreshness(bus, monotonicMs, "whether this session has ended");
  const following = await followBucket(bus, {
    bucket: BUCKETS.endedSessions,
    log,
    onChanges(changes, isWhole) {
      for (const { key, data } of changes) {
        const atMs = Number(Buffer.from(data).toString());
        // An expired entry briefly leaves an empty message.
        if (atMs > 0) known.take(key, atMs);
      }
      if (isWhole) freshness.renew();
    },
  });
  const sweep = setInterval(() => known.forget(now().getTime()), SWEEP_MS).unref();

  return {
    has(session) {
      freshness.require();
      return known.hasEnded(session);
    },
    signalOf: (session, expiry) => known.signalOf(session, expiry),
    end: ({ id, expiresAt }) => write(id, expiresAt.getTime(), expiresAt.getTime() - now().getTime()),
    endAllOf: (identity) => write(userKey(identity), now().getTime() + CLOCKS_MS, sessionLifeMs),
    async [Symbol.asyncDispose]() {
      clearInterval(sweep);
      freshness[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

/** Encodes any characters in those allowed for keys. */
function userKey(identity: string): string {
  return USER_PREFIX + Buffer.from(identity).toString("base64url");
}

/** The sessions that this gateway knows: those with open connections, and those that have ended. */
function listSessions(sessionLifeMs: number) {
  const open = new Map<string, Open>();
  /** When each ended session expires. */
  const ended = new Map<string, number>();
  /** For each user's key, the time before which all sessions have ended. */
  const endedBefore = new Map<string, number>();
  const hasEnded = ({ id, identity, beganAt }: SessionId): boolean =>
    ended.has(id) || beganAt.getTime() <= (endedBefore.get(userKey(identity)) ?? 0);
  return {
    hasEnded,
    /** An entry of the bucket: a session and its expiry, or a user and the time before which all sessions have ended. */
    take(key: string, atMs: number): void {
      const entries = key.startsWith(USER_PREFIX) ? endedBefore : ended;
      entries.set(key, Math.max(atMs, entries.get(key) ?? 0));
      for (const [id, { session, ending }] of open) {
        if (!hasEnded(session)) continue;
        ending.abort(new Problem("unauthorized", "the session has ended"));
        open.delete(id);
      }
    },
    signalOf(session: SessionId, expiry: AbortSignal): AbortSignal {
      const known = open.get(session.id);
      // Open connections end after a day, even in a session that lasts longer.
      if (known?.signal.aborted === false) return known.signal;
      const ending = new AbortController();
      const signal = AbortSignal.any([ending.signal, expiry]);
      open.set(session.id, { session, ending, signal });
      return signal;
    },
    /** Removes expired entries. */
    forget(nowMs: number): void {
      for (const [id, expiresMs] of ended) if (expiresMs <= nowMs) ended.delete(id);
      for (const [key, beforeMs] of endedBefore)
        if (beforeMs + sessionLifeMs <= nowMs) endedBefore.delete(key);
      for (const [id, { session }] of open) if (session.expiresAt.getTime() <= nowMs) open.delete(id);
    },
  };
}
