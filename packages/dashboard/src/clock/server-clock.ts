/** The server's clock, estimated from the times in its messages: this machine's own can be wrong by minutes. */

export type ServerClock = {
  /** Takes a time that the server has just sent, as ISO 8601; ignores undefined. */
  readonly heard: (at: string | undefined) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/**
 * A message takes time to arrive, so every time in one is slightly late: the estimate that is furthest ahead is the
 * most accurate.
 *
 * @param monotonic - Milliseconds that only increase, even when this machine's clock is set.
 * @param wall - This machine's clock, used until the first server time arrives.
 */
export function createServerClock(monotonic: () => number, wall: () => number): ServerClock {
  let aheadMs: number | undefined;
  return {
    heard(at) {
      const told = Date.parse(at ?? "") - monotonic();
      if (Number.isFinite(told)) aheadMs = Math.max(aheadMs ?? told, told);
    },
    now: () => (aheadMs === undefined ? wall() : monotonic() + aheadMs),
  };
}
