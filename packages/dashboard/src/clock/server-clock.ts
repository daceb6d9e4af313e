/** The server's clock, as the times in its messages tell it: this machine's own may be wrong by minutes. */

export type ServerClock = {
  /** Takes in a time that the server has just sent, as ISO 8601; nothing when it sent none. */
  readonly heard: (at: string | undefined) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/**
 * A message takes time to arrive, so every time it tells is a little late: the clock that is furthest ahead is the
 * nearest to the truth.
 *
 * @param monotonic - Milliseconds that only go forward, whatever is done to this machine's clock.
 * @param wall - This machine's clock, which counts until the server has been heard.
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
