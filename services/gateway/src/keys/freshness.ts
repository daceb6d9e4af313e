/** Data of a bucket that a gateway follows, and whose changes it may have missed while it was cut off from NATS. */
import type { Bus } from "@planwright/shared/bus";
import { Problem } from "../http/problem.ts";

/** The bucket is read every 30 seconds, besides being followed. */
const STALE_MS = 60_000;

type Freshness = Disposable & {
  /** The whole bucket was read. */
  renew(): void;
  /** @throws {Problem} `unavailable` when a change could have been missed. */
  require(): void;
};

/** @param unknown - The unknown fact, for the error: "whether this key was revoked". */
export function watchFreshness(bus: Bus, monotonicMs: () => number, unknown: string): Freshness {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  void (async () => {
    for await (const { type } of bus.connection.status()) {
      if (isStopped) return;
      // Entries read after the reconnection make it fresh again.
      if (type === "disconnect") readAtMs = Number.NEGATIVE_INFINITY;
    }
  })();
  return {
    renew: () => void (readAtMs = monotonicMs()),
    require() {
      if (monotonicMs() - readAtMs <= STALE_MS) return;
      throw new Problem("unavailable", `the gateway is cut off from NATS and cannot know ${unknown}`, {
        retryAfterS: 1,
      });
    },
    [Symbol.dispose]: () => void (isStopped = true),
  };
}
