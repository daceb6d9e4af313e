/** Abort signals that fire when a token or session expires, for the streams and WebSockets opened with it. */
import { Problem } from "../http/problem.ts";

/** Latest time of a signal, which bounds their number to one for each second of a day. */
const HORIZON_S = 86_400;
const SWEEP_MS = 1_000;

export type Ends = Disposable & {
  /** Returns a signal that aborts at this time, or after a day if that is earlier. Times within the same second share a signal. */
  at(expiresAt: Date): AbortSignal;
};

export function createEnds(now: () => Date): Ends {
  const ends = new Map<number, AbortController>();
  const sweep = setInterval(() => {
    const nowS = now().getTime() / 1_000;
    for (const [second, end] of ends) {
      if (second > nowS) continue;
      end.abort(new Problem("unauthorized", "the session or token has expired"));
      ends.delete(second);
    }
  }, SWEEP_MS).unref();
  return {
    at(expiresAt) {
      const latest = Math.ceil(now().getTime() / 1_000) + HORIZON_S;
      const second = Math.min(Math.ceil(expiresAt.getTime() / 1_000), latest);
      const end = ends.get(second) ?? new AbortController();
      ends.set(second, end);
      return end.signal;
    },
    [Symbol.dispose]: () => clearInterval(sweep),
  };
}
