/** Signals that tell what is open with a token or a session when it expires. */
import { Problem } from "../http/problem.ts";

/** What is open for longer has to be opened again: there are never more signals than seconds until then. */
const HORIZON_S = 86_400;
const SWEEP_MS = 1_000;

export type Ends = Disposable & {
  /** Aborts when the time has come, or after a day. What expires within the same second shares a signal. */
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
